// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @layer_norm(
// CHECK: = vs.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 1.0e-05} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
func.func @layer_norm(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) {
  %y, %mean, %rstd = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5}
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: func.func @layer_norm_gradient(
// CHECK: = vs.layer_norm_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @layer_norm_gradient(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %mean: tensor<8xf32>, %rstd: tensor<8xf32>, %dy: tensor<8x4xf32>) {
  %dx, %dw, %db = vs.layer_norm_gradient %x, %w, %mean, %rstd, %dy
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @rms_norm(
// CHECK: = vs.rms_norm %{{.*}}, %{{.*}} {epsilon = 1.0e-06} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
func.func @rms_norm(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  %y, %rrms = vs.rms_norm %x, %w {epsilon = 1.0e-6}
      : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: func.func @rms_norm_gradient(
// CHECK: = vs.rms_norm_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
func.func @rms_norm_gradient(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %rrms: tensor<8xf32>, %dy: tensor<8x4xf32>) {
  %dx, %dw = vs.rms_norm_gradient %x, %w, %rrms, %dy
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK: = vs.batch_norm %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 1.0e-05, momentum = 0.1} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @batch_norm(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  %y, %m1, %v1 = vs.batch_norm %x, %w, %b, %m, %v {epsilon = 1.0e-5, momentum = 0.1}
      : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @batch_norm_gradient(
// CHECK: = vs.batch_norm_gradient %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<8x4x6xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @batch_norm_gradient(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %dy: tensor<8x4x6xf32>) {
  %dx, %dw, %db = vs.batch_norm_gradient %x, %w, %dy
      : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<8x4x6xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @cross_entropy(
// CHECK: = vs.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>) -> tensor<8xf32>
func.func @cross_entropy(%logits: tensor<8x10xf32>, %targets: tensor<8xi32>) {
  %loss = vs.cross_entropy %logits, %targets {ignore_index = -100}
      : (tensor<8x10xf32>, tensor<8xi32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @cross_entropy_gradient(
// CHECK: = vs.cross_entropy_gradient %{{.*}}, %{{.*}}, %{{.*}} {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8x10xf32>
func.func @cross_entropy_gradient(%logits: tensor<8x10xf32>, %targets: tensor<8xi32>, %dloss: tensor<8xf32>) {
  %dlogits = vs.cross_entropy_gradient %logits, %targets, %dloss {ignore_index = -100}
      : (tensor<8x10xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @dropout(
// CHECK: = vs.dropout %{{.*}}, %{{.*}} {rate = 0.1} : (tensor<8x4xf32>, !vs.rng) -> tensor<8x4xf32>
func.func @dropout(%x: tensor<8x4xf32>, %rng: !vs.rng) {
  %y = vs.dropout %x, %rng {rate = 0.1} : (tensor<8x4xf32>, !vs.rng) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @attention(
// CHECK: = vs.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
func.func @attention(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) {
  %o, %lse = vs.attention %q, %k, %v {causal}
      : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @attention_gradient(
// CHECK: = vs.attention_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
func.func @attention_gradient(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>, %o: tensor<2x4x8x16xf32>, %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x16xf32>) {
  %dq, %dk, %dv = vs.attention_gradient %q, %k, %v, %o, %lse, %do {causal}
      : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
  return
}

// CHECK-LABEL: func.func @convolution(
// CHECK: = vs.convolution %{{.*}}, %{{.*}} {dilation = [1], groups = 1, padding = [1], strides = [2]} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> tensor<8x6x8xf32>
func.func @convolution(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  %y = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1}
      : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> tensor<8x6x8xf32>
  return
}

// CHECK-LABEL: func.func @convolution_input_gradient(
// CHECK: = vs.convolution_input_gradient %{{.*}}, %{{.*}} {dilation = [1], groups = 1, padding = [1], strides = [2]} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> tensor<8x4x16xf32>
func.func @convolution_input_gradient(%w: tensor<6x4x3xf32>, %dy: tensor<8x6x8xf32>) {
  %dx = vs.convolution_input_gradient %w, %dy {strides = [2], padding = [1], dilation = [1], groups = 1}
      : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> tensor<8x4x16xf32>
  return
}

// CHECK-LABEL: func.func @convolution_weight_gradient(
// CHECK: = vs.convolution_weight_gradient %{{.*}}, %{{.*}} {dilation = [1], groups = 1, padding = [1], strides = [2]} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> tensor<6x4x3xf32>
func.func @convolution_weight_gradient(%x: tensor<8x4x16xf32>, %dy: tensor<8x6x8xf32>) {
  %dw = vs.convolution_weight_gradient %x, %dy {strides = [2], padding = [1], dilation = [1], groups = 1}
      : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> tensor<6x4x3xf32>
  return
}

// CHECK-LABEL: func.func @max_pool(
// CHECK: = vs.max_pool %{{.*}} {padding = [0], strides = [2], window = [2]} : tensor<8x4x16xf32> -> tensor<8x4x8xf32>
func.func @max_pool(%x: tensor<8x4x16xf32>) {
  %y = vs.max_pool %x {window = [2], strides = [2], padding = [0]} : tensor<8x4x16xf32> -> tensor<8x4x8xf32>
  return
}

// CHECK-LABEL: func.func @max_pool_gradient(
// CHECK: = vs.max_pool_gradient %{{.*}}, %{{.*}} {padding = [0], strides = [2], window = [2]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<8x4x16xf32>
func.func @max_pool_gradient(%x: tensor<8x4x16xf32>, %dy: tensor<8x4x8xf32>) {
  %dx = vs.max_pool_gradient %x, %dy {window = [2], strides = [2], padding = [0]}
      : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<8x4x16xf32>
  return
}

// CHECK-LABEL: func.func @grouped_matmul(
// CHECK: = vs.grouped_matmul %{{.*}}, %{{.*}}, %{{.*}} : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> tensor<32x6xf32>
func.func @grouped_matmul(%x: tensor<32x4xf32>, %w: tensor<3x6x4xf32>, %counts: tensor<3xi32>) {
  %y = vs.grouped_matmul %x, %w, %counts
      : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> tensor<32x6xf32>
  return
}

// CHECK-LABEL: func.func @grouped_matmul_weight_gradient(
// CHECK: = vs.grouped_matmul_weight_gradient %{{.*}}, %{{.*}}, %{{.*}} : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> tensor<3x6x4xf32>
func.func @grouped_matmul_weight_gradient(%x: tensor<32x4xf32>, %dy: tensor<32x6xf32>, %counts: tensor<3xi32>) {
  %dw = vs.grouped_matmul_weight_gradient %x, %dy, %counts
      : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> tensor<3x6x4xf32>
  return
}

// CHECK-LABEL: func.func @softmax(
// CHECK: = vs.softmax %{{.*}} {dim = 1} : tensor<8x10xf32>
func.func @softmax(%x: tensor<8x10xf32>) {
  %y = vs.softmax %x {dim = 1} : tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @softmax_gradient(
// CHECK: = vs.softmax_gradient %{{.*}}, %{{.*}} {dim = 1} : tensor<8x10xf32>
func.func @softmax_gradient(%y: tensor<8x10xf32>, %dy: tensor<8x10xf32>) {
  %dx = vs.softmax_gradient %y, %dy {dim = 1} : tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @log_softmax(
// CHECK: = vs.log_softmax %{{.*}} {dim = 1} : tensor<8x10xf32>
func.func @log_softmax(%x: tensor<8x10xf32>) {
  %y = vs.log_softmax %x {dim = 1} : tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @log_softmax_gradient(
// CHECK: = vs.log_softmax_gradient %{{.*}}, %{{.*}} {dim = 1} : tensor<8x10xf32>
func.func @log_softmax_gradient(%y: tensor<8x10xf32>, %dy: tensor<8x10xf32>) {
  %dx = vs.log_softmax_gradient %y, %dy {dim = 1} : tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @attention_2(
// CHECK: = vs.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
func.func @attention_2(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x6x16xbf16>, %v: tensor<2x2x6x16xbf16>, %b: tensor<1x4x8x6xf32>) {
  %o, %lse = vs.attention %q, %k, %v, %b
      : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @attention_3(
// CHECK: = vs.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {causal, draw_id = 3, dropout = 0.1, scale = 0.25} : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, !vs.rng) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
func.func @attention_3(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x6x16xbf16>, %v: tensor<2x2x6x16xbf16>, %rng: !vs.rng) {
  %o, %lse = vs.attention %q, %k, %v, %rng {causal, draw_id = 3, dropout = 0.1, scale = 0.25}
      : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, !vs.rng) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @attention_4(
// CHECK: = vs.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {dropout = 0.1} : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>, !vs.rng) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
func.func @attention_4(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x6x16xbf16>, %v: tensor<2x2x6x16xbf16>, %b: tensor<1x4x8x6xf32>, %rng: !vs.rng) {
  %o, %lse = vs.attention %q, %k, %v, %b, %rng {dropout = 0.1}
      : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>, !vs.rng) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @attention_gradient_2(
// CHECK: = vs.attention_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {dropout = 0.1} : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>, !vs.rng, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>)
func.func @attention_gradient_2(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x6x16xbf16>, %v: tensor<2x2x6x16xbf16>, %b: tensor<1x4x8x6xf32>, %rng: !vs.rng, %o: tensor<2x4x8x16xbf16>, %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x16xbf16>) {
  %dq, %dk, %dv, %db = vs.attention_gradient %q, %k, %v, %b, %rng, %o, %lse, %do {dropout = 0.1}
      : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>, !vs.rng, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, tensor<1x4x8x6xf32>)
  return
}

// CHECK-LABEL: func.func @attention_gradient_3(
// CHECK: = vs.attention_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {dropout = 0.1} : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, !vs.rng, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>)
func.func @attention_gradient_3(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x6x16xbf16>, %v: tensor<2x2x6x16xbf16>, %rng: !vs.rng, %o: tensor<2x4x8x16xbf16>, %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x16xbf16>) {
  %dq, %dk, %dv = vs.attention_gradient %q, %k, %v, %rng, %o, %lse, %do {dropout = 0.1}
      : (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>, !vs.rng, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x2x6x16xbf16>, tensor<2x2x6x16xbf16>)
  return
}

// CHECK-LABEL: func.func @attention_at(
// CHECK: = vs.attention %{{.*}}, %{{.*}}, %{{.*}}, %[[I:.*]], %[[I]], %[[I]], %[[I]] {causal, global_sizes = [4, 32, 8]} : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
func.func @attention_at(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>, %i: index) {
  %o, %lse = vs.attention %q, %k, %v, %i, %i, %i, %i {causal, global_sizes = [4, 32, 8]}
      : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @attention_gradient_at(
// CHECK: = vs.attention_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[I:.*]], %[[I]], %[[I]], %[[I]] {causal, global_sizes = [4, 32, 8]}
func.func @attention_gradient_at(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>, %o: tensor<2x4x8x16xf32>, %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x16xf32>, %i: index) {
  %dq, %dk, %dv = vs.attention_gradient %q, %k, %v, %o, %lse, %do, %i, %i, %i, %i {causal, global_sizes = [4, 32, 8]}
      : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
  return
}
