//===- SchedOps.td - Ops of the sched dialect ----------------------------------------===//

#ifndef VESCALE_DIALECTS_SCHED_SCHEDOPS_TD
#define VESCALE_DIALECTS_SCHED_SCHEDOPS_TD

include "dialects/dist/DistAttributes.td"
include "dialects/sched/InstructionInterface.td"
include "dialects/sched/SchedBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Sched_Op<string mnemonic, list<Trait> traits = []> : Op<Sched_Dialect, mnemonic, traits>;

//===---------------------------------------------------------------------------------===//
// Containers and tables
//===---------------------------------------------------------------------------------===//

def Sched_ScheduleOp : Sched_Op<"schedule", [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock,
    NoTerminator, NoRegionArguments]> {
  let summary = "the programs of all devices of a mesh";
  let description = [{
    Holds `sched.tensor` ops and one `sched.program` for each function (the training step, which
    comes first, and others that the host may run between steps) and class of devices. Parameters,
    states and constants lie at the same bytes in all functions that have them. The class of a device
    follows from its coordinate: along axis a, the next `axis_lengths[a][i]` coordinates are
    of the kind `axis_kinds[a][i]`; `classes` is the row-major table over the kinds of all axes.

    Constraints:
    - (C1) `axis_lengths` and `axis_kinds` have one list per axis of `mesh`, of equal lengths;
    - (C2) the lengths of an axis add up to its size;
    - (C3) `classes` has one entry for each combination of kinds, each the class of a program;
    - (C4) the programs of a function stand together and are of the classes 0, 1, ..., in this order,
      and each function has programs of all classes;
    - (C5) all programs of a function issue collectives of the same ids in the same order.

    Example:
    ```mlir
    sched.schedule @step on #mesh target "cpu"
        attributes {axis_kinds = [array<i64: 0>], axis_lengths = [array<i64: 2>],
                    classes = array<i64: 0>} {
      sched.tensor @parameter.w parameter "w" : tensor<8xf32, #dist.layout<#mesh, [{"dp"} ]>>
      sched.program @step.class0 of "step" class 0 arena 64 streams ["compute"] events 0 {
        %0 = sched.buffer 16 at 0 of @parameter.w
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Dist_MeshAttr:$mesh, StrAttr:$target,
                       TypedArrayAttrBase<DenseI64ArrayAttr, "lists of integers">:$axis_lengths,
                       TypedArrayAttrBase<DenseI64ArrayAttr, "lists of integers">:$axis_kinds,
                       DenseI64ArrayAttr:$classes,
                       OptionalAttr<F64Attr>:$predicted_step_seconds);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `on` $mesh `target` $target attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Sched_TensorOp : Sched_Op<"tensor", [Symbol, HasParent<"ScheduleOp">]> {
  let summary = "a tensor that the host reads or writes by name";
  let description = [{
    The type has the tensor's global shape and, as its encoding, its layout. `initializer` says how
    it starts (an attribute of vs; `draw` numbers the random ones).

    Constraints:
    - (C1) `tensor_name` is not empty;
    - (C2) the type is a ranked tensor with a layout;
    - (C3) parameters, states and constants have an initializer, and no others do.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Sched_Role:$role, StrAttr:$tensor_name,
                       TypeAttr:$type, OptionalAttr<AnyAttr>:$initializer,
                       DefaultValuedAttr<I64Attr, "0">:$draw, UnitAttr:$weight_decay,
                       DefaultValuedAttr<I64Attr, "0">:$token_offset,
                       DefaultValuedAttr<I64Attr, "0">:$vocabulary);
  let assemblyFormat = "$sym_name $role $tensor_name `:` $type attr-dict";
  let hasVerifier = 1;
}

def Sched_ProgramOp : Sched_Op<"program", [Symbol, HasParent<"ScheduleOp">, IsolatedFromAbove,
    SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "what the devices of one class execute in one run of a function";
  let description = [{
    Streams and events exist from the start; the run ends when all streams have finished.

    Constraints:
    - (C1) there is at least one stream;
    - (C2) `arena_bytes` and `events` are not negative.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$function, I64Attr:$class_number, I64Attr:$arena_bytes,
                       StrArrayAttr:$streams, I64Attr:$events);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `of` $function `class` $class_number `arena` $arena_bytes `streams` $streams `events` $events
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Sched_BufferOp : Sched_Op<"buffer"> {
  let summary = "bytes at a fixed offset of the arena";
  let description = [{
    `%b = sched.buffer BYTES at OFFSET`, followed by `of @tensor` where it holds this class's part
    of a named tensor, in local storage order.

    Constraints:
    - (C1) offset and bytes are not negative, and the offset is a multiple of 64;
    - (C2) the buffer lies in the arena;
    - (C3) `tensor` names a `sched.tensor`.
  }];
  let arguments = (ins I64Attr:$bytes, I64Attr:$offset, OptionalAttr<FlatSymbolRefAttr>:$tensor);
  let results = (outs Sched_Buffer:$result);
  let assemblyFormat = "$bytes `at` $offset (`of` $tensor^)? attr-dict";
  let hasVerifier = 1;
}

def Sched_ScalarOp : Sched_Op<"scalar", [Pure]> {
  let summary = "an integer that instructions receive";
  let description = [{
    `scale` times a number of the kind, plus `constant`. `region_start`: the first global index in
    dim `dim` of box `box` of this device's region of `tensor_type`; `axis_index`: this device's
    index on axis `dim` of the mesh; `step`: the number of the step, from 0; `loop_index`: the
    iteration of the enclosing loop `dim` (0 is the outermost); `seed_low`, `seed_high`: halves of
    the seed.

    Constraints:
    - (C1) `tensor_type` is a ranked tensor with a layout, given for `region_start` only;
    - (C2) `dim` is a dim of it, or an axis of the mesh.
  }];
  let arguments = (ins Sched_ScalarKind:$kind, DefaultValuedAttr<I64Attr, "1">:$scale,
                       DefaultValuedAttr<I64Attr, "0">:$constant,
                       OptionalAttr<TypeAttr>:$tensor_type, DefaultValuedAttr<I64Attr, "0">:$dim,
                       DefaultValuedAttr<I64Attr, "0">:$box);
  let results = (outs Sched_Scalar:$result);
  let assemblyFormat = "$kind attr-dict";
  let hasVerifier = 1;
}

//===---------------------------------------------------------------------------------===//
// Instructions
//===---------------------------------------------------------------------------------===//

/// An instruction that touches memory. All of them share the constraints C1 - C3 that `copy` states.
class Sched_Instruction<string mnemonic, list<Trait> traits = []>
    : Sched_Op<mnemonic, [InstructionOpInterface] # traits>;

def Sched_LaunchOp : Sched_Instruction<"launch", [AttrSizedOperandSegments]> {
  let summary = "runs a generated kernel";
  let description = [{
    The kernel is called on parts [begin, end) of [0, `extent`), in multiples of `grain`, which are
    independent of one another. Its arguments are the operands, its parameters the scalars, in order.

    Constraints:
    - (C1) - (C3) of all instructions, see `copy`;
    - (C4) `extent` is not negative and `grain` at least 1.

    Example:
    ```mlir
    sched.launch @kernel_0 stream 0 extent 32 grain 1 scalars(%s) (read %a, write %b)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64Attr:$stream, I64Attr:$extent, I64Attr:$grain,
                       Variadic<Sched_Scalar>:$scalars, Variadic<Sched_Buffer>:$buffers,
                       DenseI32ArrayAttr:$access, OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = [{
    $kernel `stream` $stream `extent` $extent `grain` $grain (`scalars` `(` $scalars^ `)`)?
    custom<Accesses>($buffers, $access, $ranges) attr-dict
  }];
  let hasVerifier = 1;
}

def Sched_MatMulOp : Sched_Instruction<"matmul"> {
  let summary = "c = alpha * a * b + beta * c, for each batch index";
  let description = [{
    a is m x k, b is k x n. Element (i, j) of matrix a of batch index (b0, b1, ...) is at
    sum b_l * a_strides[l] + i * a_leading + j, or + j * a_leading + i where `a_transposed`; strides
    count elements. Operands: a, b, c.

    Constraints:
    - (C1) - (C3) of all instructions, see `copy`;
    - (C4) the operands are read a, read b, and written c, updated where `beta` is not 0;
    - (C5) each matrix has one stride per batch size.
  }];
  let arguments = (ins I64Attr:$stream, DenseI64ArrayAttr:$batch, I64Attr:$m, I64Attr:$n, I64Attr:$k,
                       DenseI64ArrayAttr:$a_strides, I64Attr:$a_leading, UnitAttr:$a_transposed,
                       DenseI64ArrayAttr:$b_strides, I64Attr:$b_leading, UnitAttr:$b_transposed,
                       DenseI64ArrayAttr:$c_strides, I64Attr:$c_leading, UnitAttr:$c_transposed,
                       TypeAttr:$input, TypeAttr:$output, DefaultValuedAttr<F64Attr, "1.0">:$alpha,
                       DefaultValuedAttr<F64Attr, "0.0">:$beta, Variadic<Sched_Buffer>:$buffers,
                       DenseI32ArrayAttr:$access, OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = [{
    `stream` $stream `m` $m `n` $n `k` $k $input `to` $output
    custom<Accesses>($buffers, $access, $ranges) attr-dict
  }];
  let hasVerifier = 1;
}

def Sched_AttentionOp : Sched_Instruction<"attention", [AttrSizedOperandSegments]> {
  let summary = "scaled dot-product attention or its gradient";
  let description = [{
    Sizes are local; the scalars are where the local part starts in the batch, the heads, the queries
    and the keys, and the draw id. Operands: q, k, v, [bias,] output, log-sum-exp; `backward`: q, k,
    v, [bias,] output, log-sum-exp, output gradient, q, k and v gradient. Strides are those of batch,
    head and sequence, in elements.

    Constraints:
    - (C1) - (C3) of all instructions, see `copy`;
    - (C4) there are five scalars;
    - (C5) there are as many operands as listed, the results written and the others read;
    - (C6) `strides` has three entries for each of q, k, v and output.
  }];
  let arguments = (ins I64Attr:$stream, UnitAttr:$backward, I64Attr:$batch, I64Attr:$heads,
                       I64Attr:$key_heads, I64Attr:$query_length, I64Attr:$key_length,
                       I64Attr:$head_size, TypeAttr:$element, UnitAttr:$causal, F64Attr:$scale,
                       DefaultValuedAttr<F64Attr, "0.0">:$dropout, UnitAttr:$bias,
                       I64Attr:$global_heads, I64Attr:$global_query_length,
                       I64Attr:$global_key_length, DenseI64ArrayAttr:$strides,
                       Variadic<Sched_Scalar>:$scalars, Variadic<Sched_Buffer>:$buffers,
                       DenseI32ArrayAttr:$access, OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = [{
    `stream` $stream $element `scalars` `(` $scalars `)`
    custom<Accesses>($buffers, $access, $ranges) attr-dict
  }];
  let hasVerifier = 1;
}

def Sched_CollectiveOp : Sched_Instruction<"collective"> {
  let summary = "turns a tensor's layout into another";
  let description = [{
    The types have the global shape and the layouts before and after. All devices of both meshes
    issue it, with the same id. Operands: the local input where the device is of the source mesh,
    then the local output where it is of the target mesh.

    Constraints:
    - (C1) - (C3) of all instructions, see `copy`;
    - (C4) one operand or two, inputs read and outputs written;
    - (C5) both types have a layout, and they differ in nothing else;
    - (C6) `id` is not negative.

    Example:
    ```mlir
    sched.collective all_gather 3 stream 1 (read %a, write %b)
        : tensor<8xf32, #dist.layout<#mesh, [{"dp"} ]>> to tensor<8xf32, #dist.layout<#mesh, [{} ]>>
    ```
  }];
  let arguments = (ins Sched_CollectiveKind:$kind, I64Attr:$id, I64Attr:$stream, TypeAttr:$source,
                       TypeAttr:$target, Variadic<Sched_Buffer>:$buffers, DenseI32ArrayAttr:$access,
                       OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = [{
    $kind $id `stream` $stream custom<Accesses>($buffers, $access, $ranges) attr-dict
    `:` $source `to` $target
  }];
  let hasVerifier = 1;
}

def Sched_CopyOp : Sched_Instruction<"copy"> {
  let summary = "copies bytes";
  let description = [{
    Constraints:
    - (C1) the stream is one of the program's;
    - (C2) `access` has one entry per operand, 1 (read), 2 (write) or 3 (update);
    - (C3) `ranges`, if given, has two entries per operand and lies in its buffer;
    - (C4) the operands are read from, written to.

    Example:
    ```mlir
    sched.copy stream 0 (read %a[0, 64], write %b)
    ```
  }];
  let arguments = (ins I64Attr:$stream, Variadic<Sched_Buffer>:$buffers, DenseI32ArrayAttr:$access,
                       OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = "`stream` $stream custom<Accesses>($buffers, $access, $ranges) attr-dict";
  let hasVerifier = 1;
}

class Sched_HostOp<string mnemonic, string accessed> : Sched_Instruction<mnemonic> {
  let description = [{
    Constraints:
    - (C1) - (C3) of all instructions, see `copy`;
    - (C4) the one operand is }] # accessed # [{;
    - (C5) `tensor` names a `sched.tensor`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$tensor, I64Attr:$stream, Variadic<Sched_Buffer>:$buffers,
                       DenseI32ArrayAttr:$access, OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = [{
    $tensor `stream` $stream custom<Accesses>($buffers, $access, $ranges) attr-dict
  }];
  let hasVerifier = 1;
}

def Sched_HostInputOp : Sched_HostOp<"host_input", "written"> {
  let summary = "the host fills this device's part of a tensor";
}

def Sched_HostOutputOp : Sched_HostOp<"host_output", "read"> {
  let summary = "the host may read this device's part of a tensor";
}

def Sched_ScalarUpdateOp : Sched_Instruction<"scalar_update"> {
  let summary = "the host writes a number of the step";
  let description = [{
    Constraints:
    - (C1) - (C3) of all instructions, see `copy`;
    - (C4) the one operand is written.

    Example:
    ```mlir
    sched.scalar_update learning_rate stream 0 f32 (write %lr)
    ```
  }];
  let arguments = (ins Sched_Quantity:$quantity, I64Attr:$stream, TypeAttr:$element,
                       Variadic<Sched_Buffer>:$buffers, DenseI32ArrayAttr:$access,
                       OptionalAttr<DenseI64ArrayAttr>:$ranges);
  let assemblyFormat = [{
    $quantity `stream` $stream $element custom<Accesses>($buffers, $access, $ranges) attr-dict
  }];
  let hasVerifier = 1;
}

class Sched_EventOp<string mnemonic> : Sched_Op<mnemonic> {
  let arguments = (ins I64Attr:$event, I64Attr:$stream);
  let assemblyFormat = "$event `stream` $stream attr-dict";
  let hasVerifier = 1;
  let description = [{
    Constraints:
    - (C1) the stream is one of the program's;
    - (C2) the event is one of the program's.
  }];
}

def Sched_RecordOp : Sched_EventOp<"record"> {
  let summary = "the event happens when all that the stream has so far is done";
}

def Sched_WaitOp : Sched_EventOp<"wait"> {
  let summary = "the stream goes on when the event's latest record before this has happened";
}

def Sched_LoopOp : Sched_Op<"loop", [SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "runs its instructions a fixed number of times";
  let description = [{
    Constraints:
    - (C1) `count` is at least 1.

    Example:
    ```mlir
    sched.loop 4 {
      sched.copy stream 0 (read %a, write %b)
    }
    ```
  }];
  let arguments = (ins I64Attr:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

//===---------------------------------------------------------------------------------===//
// Kernels
//===---------------------------------------------------------------------------------===//

def Sched_KernelImageOp : Sched_Op<"kernel_image"> {
  let summary = "machine code of all kernels";
  let description = [{
    `symbols` are the kernels in the order of the kernel table, `object` the bytes of a relocatable
    ELF file that defines them.
  }];
  let arguments = (ins StrArrayAttr:$symbols, StrAttr:$object);
  let assemblyFormat = "$symbols $object attr-dict";
}

#endif // VESCALE_DIALECTS_SCHED_SCHEDOPS_TD
