//===- SchedBase.td - The sched dialect: schedules -----------------------------------===//

#ifndef VESCALE_DIALECTS_SCHED_SCHEDBASE_TD
#define VESCALE_DIALECTS_SCHED_SCHEDBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"

def Sched_Dialect : Dialect {
  let name = "sched";
  let cppNamespace = "::vescale::sched";
  let summary = "Schedules: what each device executes";
  let description = [{
    One `sched.schedule` holds the tensors that the host knows by name and one `sched.program` for
    each class of devices. A program has buffers at fixed offsets of one arena, and a flat list of
    instructions on streams; events order the streams. Ops are the records of the schedule file
    (`runtime/format/schedule.fbs`), one to one, so that writing the file decides nothing.

    Sizes and offsets are bytes. An instruction touches no memory but that of its operands, each of
    which says whether it is read, written, or both (`update`).
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def Sched_Buffer : TypeDef<Sched_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "bytes at a fixed offset of the arena";
}

def Sched_Scalar : TypeDef<Sched_Dialect, "Scalar"> {
  let mnemonic = "scalar";
  let summary = "an integer that an instruction receives";
}

class Sched_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::vescale::sched";
}

// The numbers are those of the enumerations in schedule.fbs.

def Sched_Role : Sched_Enum<"Role", "what a tensor is to the host", [
  I32EnumAttrCase<"parameter", 0>, I32EnumAttrCase<"state", 1>, I32EnumAttrCase<"constant", 2>,
  I32EnumAttrCase<"batch", 3>, I32EnumAttrCase<"metric", 4>, I32EnumAttrCase<"gradient", 5>,
  I32EnumAttrCase<"value", 6>]>;

def Sched_ScalarKind : Sched_Enum<"ScalarKind", "where a scalar comes from", [
  I32EnumAttrCase<"constant", 0>, I32EnumAttrCase<"region_start", 1>,
  I32EnumAttrCase<"axis_index", 2>, I32EnumAttrCase<"step", 3>, I32EnumAttrCase<"loop_index", 4>,
  I32EnumAttrCase<"seed_low", 5>, I32EnumAttrCase<"seed_high", 6>]>;

def Sched_CollectiveKind : Sched_Enum<"CollectiveKind", "how data move", [
  I32EnumAttrCase<"all_gather", 0>, I32EnumAttrCase<"reduce_scatter", 1>,
  I32EnumAttrCase<"all_reduce", 2>, I32EnumAttrCase<"all_to_all", 3>,
  I32EnumAttrCase<"permute", 4>, I32EnumAttrCase<"exchange", 5>]>;

def Sched_Quantity : Sched_Enum<"Quantity", "a number that the host knows in each step", [
  I32EnumAttrCase<"learning_rate", 0>, I32EnumAttrCase<"step_index", 1>,
  I32EnumAttrCase<"step_count", 2>, I32EnumAttrCase<"seed", 3>]>;

#endif // VESCALE_DIALECTS_SCHED_SCHEDBASE_TD
