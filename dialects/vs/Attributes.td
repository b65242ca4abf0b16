//===- Attributes.td - Types and attributes of vs -------------------------===//

#ifndef VESCALE_DIALECTS_VS_ATTRIBUTES_TD
#define VESCALE_DIALECTS_VS_ATTRIBUTES_TD

include "dialects/vs/Base.td"

def Vs_Rng : TypeDef<Vs_Dialect, "Rng"> {
  let mnemonic = "rng";
  let summary = "A random generator: the run's seed and the number of the step";
  let description = [{
    A counter-based generator has no state to thread through a program: the value is the same for all
    ops of a step, and every draw is a function of it, of the op's `draw_id` and of the element's
    global position. So masks and initial values do not depend on the mesh. It is an argument of the
    function with `vs.role = "rng"`.
  }];
}

class Vs_Attr<string name, string attrMnemonic> : AttrDef<Vs_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Vs_NormalAttr : Vs_Attr<"Normal", "normal"> {
  let summary = "Normal distribution with mean 0: `#vs.normal<0.02>`";
  let parameters = (ins "::mlir::FloatAttr":$stddev);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "double":$stddev)>];
  let description = [{
    Constraints:
    - (C1) the standard deviation is finite and not negative.
  }];
}

def Vs_UniformAttr : Vs_Attr<"Uniform", "uniform"> {
  let summary = "Uniform distribution over [low, high): `#vs.uniform<-0.1, 0.1>`";
  let parameters = (ins "::mlir::FloatAttr":$low, "::mlir::FloatAttr":$high);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "double":$low, "double":$high)>];
  let description = [{
    Constraints:
    - (C1) both bounds are finite and low <= high.
  }];
}

def Vs_ZerosAttr : Vs_Attr<"Zeros", "zeros"> {
  let summary = "All elements 0: `#vs.zeros`";
}

def Vs_OnesAttr : Vs_Attr<"Ones", "ones"> {
  let summary = "All elements 1: `#vs.ones`";
}

def Vs_FromFileAttr : Vs_Attr<"FromFile", "from_file"> {
  let summary = "Elements from a safetensors file, by the parameter's name: `#vs.from_file<\"p\">`";
  let parameters = (ins "::mlir::StringAttr":$path);
  let assemblyFormat = "`<` $path `>`";
  let genVerifyDecl = 1;
  let description = [{
    Constraints:
    - (C1) the path is not empty.
  }];
}

def Vs_DistributionAttr : AnyAttrOf<[Vs_NormalAttr, Vs_UniformAttr],
                                    "#vs.normal or #vs.uniform"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Vs_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::vescale::vs";
}

class Vs_EnumAttr<EnumAttrInfo info, string attrMnemonic>
    : EnumAttr<Vs_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Vs_ReduceKind : Vs_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Prod", 4, "prod">, I32EnumAttrCase<"And", 5, "and">,
  I32EnumAttrCase<"Or", 6, "or">]>;
def Vs_ReduceKindAttr : Vs_EnumAttr<Vs_ReduceKind, "reduce_kind">;

def Vs_ComparePredicate : Vs_Enum<"ComparePredicate", "a comparison", [
  I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
  I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
  I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]>;
def Vs_ComparePredicateAttr : Vs_EnumAttr<Vs_ComparePredicate, "compare_predicate">;

def Vs_ScatterKind : Vs_Enum<"ScatterKind", "how updates meet what is there", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Set", 1, "set">,
  I32EnumAttrCase<"Max", 2, "max">]>;
def Vs_ScatterKindAttr : Vs_EnumAttr<Vs_ScatterKind, "scatter_kind">;

#endif
