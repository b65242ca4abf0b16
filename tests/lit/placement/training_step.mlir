// RUN: vescale-opt %s --dist-apply-plan=plan=%S/plans/data_parallel.json --dist-propagate --dist-settle --dist-verify-placement | FileCheck %s --check-prefix=DATA
// RUN: vescale-opt %s --dist-apply-plan=plan=%S/plans/megatron.json --dist-propagate --dist-settle --dist-verify-placement | FileCheck %s --check-prefix=MEGATRON
// RUN: vescale-opt %s --dist-apply-plan=plan=%S/plans/data_and_megatron.json --dist-propagate --dist-settle --dist-verify-placement | FileCheck %s --check-prefix=BOTH
// RUN: vescale-opt %s --dist-apply-plan=plan=%S/plans/fully_sharded.json --dist-propagate --dist-settle --dist-verify-placement | FileCheck %s --check-prefix=SHARDED
// RUN: vescale-opt %s --dist-apply-plan=plan=%S/plans/cut_optimizer_state.json --dist-propagate --dist-settle --dist-verify-placement 2>&1 | FileCheck %s --check-prefix=STATE

// The training step of a residual network of two layers, x + proj(tanh(fc(x))), under the plans that
// people write by hand. What moves is what they write by hand, and nothing else.

// Data parallel: each gradient is reduced once, after backward.
// DATA-NOT:     dist.redistribute
// DATA:         vs.reduce mean
// DATA-NEXT:    dist.redistribute {{.*}} -> tensor<f32, #dist.layout<#mesh, []>>
// DATA-COUNT-4: dist.redistribute {{.*}}, partial = [sum: "dp"]>> -> tensor<{{[0-9]+x[0-9]+}}xf32, #dist.layout<#mesh, [{}, {}]>>
// DATA-NOT:     dist.redistribute

// Megatron: one reduction per layer forward, and one backward but for the first layer, whose input
// has no gradient. Gradients and updates of weights are local.
// MEGATRON-COUNT-2: dist.redistribute {{.*}}, partial = [sum: "tp"]>> -> tensor<16x32xf32, #dist.layout<#mesh, [{}, {}]>>
// MEGATRON:         vs.reduce mean
// MEGATRON:         dist.redistribute {{.*}}, partial = [sum: "tp"]>> -> tensor<16x32xf32, #dist.layout<#mesh, [{}, {}]>>
// MEGATRON-NOT:     dist.redistribute

// Both: the reductions of both, each over its own axis.
// BOTH-COUNT-2: dist.redistribute {{.*}}, partial = [sum: "tp"]>> -> tensor<16x32xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
// BOTH:         vs.reduce mean
// BOTH-NEXT:    dist.redistribute {{.*}} -> tensor<f32, #dist.layout<#mesh, []>>
// BOTH:         dist.redistribute {{.*}}, partial = [sum: "tp"]>> -> tensor<16x32xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
// BOTH:         dist.redistribute {{.*}}, partial = [sum: "dp"]>> -> tensor<128x32xf32, #dist.layout<#mesh, [{"tp"}, {}]>>
// BOTH:         dist.redistribute {{.*}}, partial = [sum: "dp"]>> -> tensor<32x128xf32, #dist.layout<#mesh, [{}, {"tp"}]>>
// BOTH-COUNT-2: dist.redistribute {{.*}}, partial = [sum: "dp"]>>
// BOTH-NOT:     dist.redistribute

// Fully sharded: a gather per weight and use, four forward and three backward; a reduce-scatter per
// gradient.
// SHARDED-COUNT-4: dist.redistribute %arg{{[0-3]}} : {{.*}} [{"dp"}, {}]>> -> {{.*}} [{}, {}]>>
// SHARDED:         vs.reduce mean
// SHARDED-NEXT:    dist.redistribute {{.*}} -> tensor<f32, #dist.layout<#mesh, []>>
// SHARDED-COUNT-3: dist.redistribute %arg{{[0-3]}} : {{.*}} [{"dp"}, {}]>> -> {{.*}} [{}, {}]>>
// SHARDED-COUNT-4: dist.redistribute {{.*}} [{}, {}], partial = [sum: "dp"]>> -> {{.*}} [{"dp"}, {}]>>
// SHARDED-NOT:     dist.redistribute

// Cut optimizer state: gradients are scattered to it; the parameter is cut without communication,
// and its new value gathered.
// STATE:      remark: no key of the plan matches h.0.fc.weight, h.0.proj.weight, h.1.fc.weight and 1 more
// STATE:      vs.reduce mean
// STATE:      dist.redistribute {{.*}} [{}, {}], partial = [sum: "dp"]>> -> {{.*}} [{"dp"}, {}]>>
// STATE-NEXT: vs.tag {{.*}} {name = "h.0.fc.weight.gradient"}
// STATE-NEXT: dist.redistribute %arg0 : {{.*}} [{}, {}]>> -> {{.*}} [{"dp"}, {}]>>
// STATE-NEXT: vs.sgd
// STATE-NEXT: dist.redistribute {{.*}} [{"dp"}, {}]>> -> {{.*}} [{}, {}]>>

func.func @step(%w0: tensor<128x32xf32> {vs.role = "parameter", vs.name = "h.0.fc.weight"},
    %v0: tensor<32x128xf32> {vs.role = "parameter", vs.name = "h.0.proj.weight"},
    %w1: tensor<128x32xf32> {vs.role = "parameter", vs.name = "h.1.fc.weight"},
    %v1: tensor<32x128xf32> {vs.role = "parameter", vs.name = "h.1.proj.weight"},
    %mw0: tensor<128x32xf32> {vs.role = "state", vs.name = "h.0.fc.weight.m"},
    %mv0: tensor<32x128xf32> {vs.role = "state", vs.name = "h.0.proj.weight.m"},
    %mw1: tensor<128x32xf32> {vs.role = "state", vs.name = "h.1.fc.weight.m"},
    %mv1: tensor<32x128xf32> {vs.role = "state", vs.name = "h.1.proj.weight.m"},
    %x0: tensor<16x32xf32> {vs.role = "batch", vs.name = "x"},
    %t: tensor<16x32xf32> {vs.role = "batch", vs.name = "t"},
    %lr: tensor<f32> {vs.role = "scalar", vs.name = "learning_rate"})
    -> (tensor<128x32xf32> {vs.aliases = 0 : i64}, tensor<32x128xf32> {vs.aliases = 1 : i64}, tensor<128x32xf32> {vs.aliases = 2 : i64}, tensor<32x128xf32> {vs.aliases = 3 : i64}, tensor<128x32xf32> {vs.aliases = 4 : i64}, tensor<32x128xf32> {vs.aliases = 5 : i64}, tensor<128x32xf32> {vs.aliases = 6 : i64}, tensor<32x128xf32> {vs.aliases = 7 : i64}, tensor<f32>) {
  %h0 = vs.einsum "bd,fd->bf" %x0, %w0 : (tensor<16x32xf32>, tensor<128x32xf32>) -> tensor<16x128xf32>
  %a0 = vs.tanh %h0 : tensor<16x128xf32>
  %y0 = vs.einsum "bf,df->bd" %a0, %v0 : (tensor<16x128xf32>, tensor<32x128xf32>) -> tensor<16x32xf32>
  %x1 = vs.add %x0, %y0 : tensor<16x32xf32>
  %h1 = vs.einsum "bd,fd->bf" %x1, %w1 : (tensor<16x32xf32>, tensor<128x32xf32>) -> tensor<16x128xf32>
  %a1 = vs.tanh %h1 : tensor<16x128xf32>
  %y1 = vs.einsum "bf,df->bd" %a1, %v1 : (tensor<16x128xf32>, tensor<32x128xf32>) -> tensor<16x32xf32>
  %x2 = vs.add %x1, %y1 : tensor<16x32xf32>
  %d = vs.sub %x2, %t : tensor<16x32xf32>
  %s = vs.mul %d, %d : tensor<16x32xf32>
  %loss = vs.reduce mean %s dims = [0, 1] : tensor<16x32xf32> -> tensor<f32>
  %c = vs.constant dense<0.00390625> : tensor<16x32xf32>
  %g2 = vs.mul %d, %c : tensor<16x32xf32>
  %one = vs.constant dense<1.0> : tensor<16x128xf32>
  %dv1 = vs.einsum "bd,bf->df" %g2, %a1 : (tensor<16x32xf32>, tensor<16x128xf32>) -> tensor<32x128xf32>
  %da1 = vs.einsum "bd,df->bf" %g2, %v1 : (tensor<16x32xf32>, tensor<32x128xf32>) -> tensor<16x128xf32>
  %aa1 = vs.mul %a1, %a1 : tensor<16x128xf32>
  %u1 = vs.sub %one, %aa1 : tensor<16x128xf32>
  %dh1 = vs.mul %da1, %u1 : tensor<16x128xf32>
  %dw1 = vs.einsum "bf,bd->fd" %dh1, %x1 : (tensor<16x128xf32>, tensor<16x32xf32>) -> tensor<128x32xf32>
  %dx1 = vs.einsum "bf,fd->bd" %dh1, %w1 : (tensor<16x128xf32>, tensor<128x32xf32>) -> tensor<16x32xf32>
  %g1 = vs.add %g2, %dx1 : tensor<16x32xf32>
  %dv0 = vs.einsum "bd,bf->df" %g1, %a0 : (tensor<16x32xf32>, tensor<16x128xf32>) -> tensor<32x128xf32>
  %da0 = vs.einsum "bd,df->bf" %g1, %v0 : (tensor<16x32xf32>, tensor<32x128xf32>) -> tensor<16x128xf32>
  %aa0 = vs.mul %a0, %a0 : tensor<16x128xf32>
  %u0 = vs.sub %one, %aa0 : tensor<16x128xf32>
  %dh0 = vs.mul %da0, %u0 : tensor<16x128xf32>
  %dw0 = vs.einsum "bf,bd->fd" %dh0, %x0 : (tensor<16x128xf32>, tensor<16x32xf32>) -> tensor<128x32xf32>
  %tgw0 = vs.tag %dw0 {name = "h.0.fc.weight.gradient"} : tensor<128x32xf32>
  %nw0, %nmw0 = vs.sgd %w0, %tgw0, %mw0, %lr {momentum_factor = 0.9} : (tensor<128x32xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<f32>) -> (tensor<128x32xf32>, tensor<128x32xf32>)
  %tgv0 = vs.tag %dv0 {name = "h.0.proj.weight.gradient"} : tensor<32x128xf32>
  %nv0, %nmv0 = vs.sgd %v0, %tgv0, %mv0, %lr {momentum_factor = 0.9} : (tensor<32x128xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<f32>) -> (tensor<32x128xf32>, tensor<32x128xf32>)
  %tgw1 = vs.tag %dw1 {name = "h.1.fc.weight.gradient"} : tensor<128x32xf32>
  %nw1, %nmw1 = vs.sgd %w1, %tgw1, %mw1, %lr {momentum_factor = 0.9} : (tensor<128x32xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<f32>) -> (tensor<128x32xf32>, tensor<128x32xf32>)
  %tgv1 = vs.tag %dv1 {name = "h.1.proj.weight.gradient"} : tensor<32x128xf32>
  %nv1, %nmv1 = vs.sgd %v1, %tgv1, %mv1, %lr {momentum_factor = 0.9} : (tensor<32x128xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<f32>) -> (tensor<32x128xf32>, tensor<32x128xf32>)
  return %nw0, %nv0, %nw1, %nv1, %nmw0, %nmv0, %nmw1, %nmv1, %loss : tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x128xf32>, tensor<f32>
}
