//===- AttentionOps.td - Attention and its gradient -----------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

class Vs_AttentionOpBase<string mnemonic>
    : Vs_Op<mnemonic, [AttrSizedOperandSegments,
                       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                       DeclareOpInterfaceMethods<RandomOpInterface,
                                                 ["drawsRandomNumbers", "disableDraws"]>]> {
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_AttentionOp : Vs_AttentionOpBase<"attention"> {
  let summary = "Scaled dot-product attention";
  let description = [{
    q: (batch, heads, query sequence, head size), k: (batch, key heads, key sequence, head size),
    v: (batch, key heads, key sequence, value size). Query head h attends to key head
    h / (heads / key heads). Per head: scores = scale * q k^T + bias;
    `log_sum_exp = log(sum(exp(scores)))` over keys; `output = dropout(softmax(scores)) v`.
    With `causal`, query i sees keys j <= i only. A query that sees no key gives 0, and -inf as
    `log_sum_exp`. `scale` is 1 / sqrt(head size) where absent. `bias` may have size 1 as batch or
    heads: it is then the same for all. Dropout acts on the probabilities, a function of generator,
    draw id and global position: the row-major one in (batch, heads, query sequence, key sequence).

    `positions` are the batch, head, query and key at which the operands start in larger tensors
    whose heads, query and key sequence are `global_sizes`; masks and dropout then follow the
    positions there. Without them the operands are the whole.

    Constraints:
    - (C1) `q`, `k` and `v` are 4-D.
    - (C2) `q`, `k` and `v` have the same batch; `k` and `v` the same heads and sequence.
    - (C3) the heads of `q` are a multiple of those of `k`.
    - (C4) `q` and `k` have the same head size.
    - (C5) `q`, `k`, `v` and `output` have the same element type.
    - (C6) `output` has the shape (batch, heads, query sequence, value size).
    - (C7) `log_sum_exp` has the shape (batch, heads, query sequence).
    - (C8) `log_sum_exp` has the statistics type of `q`.
    - (C9) `bias` has the shape (batch or 1, heads or 1, query sequence, key sequence).
    - (C10) 0 <= `dropout` < 1.
    - (C11) `dropout` above 0 needs an `rng`.
    - (C12) `draw_id`, where present, is not negative.
    - (C13) there are no `positions` or four.
    - (C14) `global_sizes` has three entries and is present exactly if there are `positions`.

    ```mlir
    %o, %lse = vs.attention %q, %k, %v {causal}
        : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
        -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$q, Vs_FloatTensor:$k, Vs_FloatTensor:$v,
                   Optional<Vs_FloatTensor>:$bias, Optional<Vs_Rng>:$rng,
                   Variadic<Index>:$positions, UnitAttr:$causal,
                   OptionalAttr<Vs_F64Attr>:$scale,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$dropout,
                   OptionalAttr<Vs_I64Attr>:$draw_id,
                   OptionalAttr<DenseI64ArrayAttr>:$global_sizes);
  let results = (outs Vs_FloatTensor:$output, Vs_StatisticsTensor:$log_sum_exp);
  // `bias` and `rng` may be null.
  let builders = [OpBuilder<(ins "::mlir::Value":$q, "::mlir::Value":$k, "::mlir::Value":$v,
                                 "::mlir::Value":$bias, "::mlir::Value":$rng, "bool":$causal,
                                 "::std::optional<double>":$scale, "double":$dropout)>];
  let extraClassDeclaration = [{
    /// The factor of the scores: `scale`, or 1 / sqrt(head size).
    double getScoreScale();
  }];
}

def Vs_AttentionGradientOp : Vs_AttentionOpBase<"attention_gradient"> {
  let summary = "Adjoint of attention with respect to output";
  let description = [{
    Computes the probabilities again from the scores and `log_sum_exp`, block by block (Dao et al.,
    "FlashAttention", arXiv 2205.14135): P = exp(scores - log_sum_exp), D = sum(gradient * output),
    dV = dropout(P)^T gradient, dS = P * (dropout(gradient V^T) - D), dQ = scale * dS K,
    dK = scale * dS^T Q, dbias = dS, summed over dims of size 1 of the bias. Gradients of shared key
    heads are summed over their query heads. Attributes as the op that it belongs to.

    Constraints:
    - (C1) - (C12) as `attention`, of the operands.
    - (C13) `gradient` has the shape and element type of `output`.
    - (C14) each gradient has the shape and element type of what it is the gradient of.
    - (C15) there is a `bias_gradient` only where there is a `bias`.
    - (C16), (C17) as (C13), (C14) of `attention`.

    ```mlir
    %dq, %dk, %dv = vs.attention_gradient %q, %k, %v, %o, %lse, %do {causal}
        : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x4x8x16xf32>,
           tensor<2x4x8xf32>, tensor<2x4x8x16xf32>)
        -> (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$q, Vs_FloatTensor:$k, Vs_FloatTensor:$v,
                   Optional<Vs_FloatTensor>:$bias, Optional<Vs_Rng>:$rng, Vs_FloatTensor:$output,
                   Vs_StatisticsTensor:$log_sum_exp, Vs_FloatTensor:$gradient,
                   Variadic<Index>:$positions, UnitAttr:$causal,
                   OptionalAttr<Vs_F64Attr>:$scale,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$dropout,
                   OptionalAttr<Vs_I64Attr>:$draw_id,
                   OptionalAttr<DenseI64ArrayAttr>:$global_sizes);
  let results = (outs Vs_FloatTensor:$q_gradient, Vs_FloatTensor:$k_gradient,
                  Vs_FloatTensor:$v_gradient, Optional<Vs_FloatTensor>:$bias_gradient);
  // The gradient of `forward` for `gradient` of its output, with its operands and attributes.
  let builders = [OpBuilder<(ins "AttentionOp":$forward, "::mlir::Value":$gradient)>];
  let extraClassDeclaration = [{
    /// The factor of the scores: `scale`, or 1 / sqrt(head size).
    double getScoreScale();
  }];
}
