// What later stages make of layouts and shapes at their limits computes what one device does.
// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions),vs-decompose-layers,canonicalize,cse,func.func(vs-fuse),sched-assign-buffers,sched-verify-buffers)' -o %t
// RUN: vescale-opt %t --symbol-privatize=exclude=updated --symbol-dce --sched-lower | vescale interpret - --function updated --compare %s | FileCheck %s
// RUN: vescale-opt %t --symbol-privatize=exclude=drawn --symbol-dce --sched-lower | vescale interpret - --function drawn --compare %s | FileCheck %s
// RUN: vescale-opt %t --symbol-privatize=exclude=empty_sum --symbol-dce --sched-lower | vescale interpret - --function empty_sum --compare %s | FileCheck %s
// RUN: vescale-opt %t --symbol-privatize=exclude=query_heads --symbol-dce --sched-lower | vescale interpret - --function query_heads --compare %s --tolerance 1e-12
// RUN: vescale-opt %t --symbol-privatize=exclude=unit_dims --symbol-dce --sched-lower | vescale interpret - --function unit_dims --compare %s --tolerance 1e-12
// RUN: vescale-opt %t --symbol-privatize=exclude=unit_reshape --symbol-dce --sched-lower | vescale interpret - --function unit_reshape --compare %s | FileCheck %s
// RUN: vescale-opt %t --symbol-privatize=exclude=again --symbol-dce --sched-lower | vescale interpret - --function again --compare %s | FileCheck %s
// RUN: vescale-opt %t --symbol-privatize=exclude=partial_gradient --symbol-dce --sched-lower | vescale interpret - --function partial_gradient --compare %s --tolerance 1e-12
// RUN: vescale-opt %t --symbol-privatize=exclude=spread --symbol-dce --sched-lower | vescale interpret - --function spread --compare %s | FileCheck %s
// RUN: vescale-opt %t --symbol-privatize=exclude=no_norm --symbol-dce --sched-lower | vescale interpret - --function no_norm --compare %s | FileCheck %s
// RUN: vescale interpret %s --function unit_reshape --compare-one-device | FileCheck %s

// CHECK: 1 results are equal

#mesh = #dist.mesh<["x" = 2]>
!scalar = tensor<f64, #dist.layout<#mesh, []>>

// All shapes are equal, but an element is not a function of the operands' elements at its place.
func.func @updated(%x: tensor<1x2x1xf64>, %y: tensor<1x2x1xf64>, %i: tensor<i32>) -> tensor<1x2x1xf64> {
  %r = vs.dynamic_update_slice %x, %y, %i, %i, %i : (tensor<1x2x1xf64>, tensor<1x2x1xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1xf64>
  return %r : tensor<1x2x1xf64>
}

func.func @drawn(%rng: !vs.rng, %x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %u = vs.random %rng {distribution = #vs.uniform<0.0, 1.0>, draw_id = 3} : (!vs.rng) -> tensor<3x4xf64>
  %r = vs.mul %u, %x : tensor<3x4xf64>
  return %r : tensor<3x4xf64>
}

// The second device sums over nothing: its contribution is 0, not whatever was in memory.
!a = tensor<2x1x3xf64, #dist.layout<#mesh, [{}, {"x"}, {}]>>
!b = tensor<1x2x4xf64, #dist.layout<#mesh, [{"x"}, {}, {}]>>
func.func @empty_sum(%a: !a, %b: !b) -> tensor<3x4xf64, #dist.layout<#mesh, [{}, {}]>> {
  %p = vs.einsum "abc,bad->cd" %a, %b : (!a, !b) -> tensor<3x4xf64, #dist.layout<#mesh, [{}, {}], partial = [sum: "x"]>>
  %r = dist.redistribute %p : tensor<3x4xf64, #dist.layout<#mesh, [{}, {}], partial = [sum: "x"]>> -> tensor<3x4xf64, #dist.layout<#mesh, [{}, {}]>>
  return %r : tensor<3x4xf64, #dist.layout<#mesh, [{}, {}]>>
}

// Two query heads share one key head, and each device has one of them.
!q = tensor<2x2x3x2xf64, #dist.layout<#mesh, [{}, {"x"}, {}, {}]>>
!k = tensor<2x1x4x2xf64, #dist.layout<#mesh, [{}, {}, {}, {}]>>
!lse = tensor<2x2x3xf64, #dist.layout<#mesh, [{}, {"x"}, {}]>>
func.func @query_heads(%q: !q, %k: !k, %v: !k) -> !q {
  %o, %l = vs.attention %q, %k, %v {causal} : (!q, !k, !k) -> (!q, !lse)
  return %o : !q
}

// A dim of size 1 that is cut: one device has it, the other nothing.
!u = tensor<1x1xf64, #dist.layout<#mesh, [{}, {"x"}]>>
func.func @unit_dims(%p: !u, %g: !u, %rate: !scalar) -> !u {
  %n = vs.sgd %p, %g, %rate {weight_decay = 0.25} : (!u, !u, !scalar) -> !u
  return %n : !u
}

func.func @unit_reshape(%x: tensor<1x4xf64, #dist.layout<#mesh, [{"x"}, {}]>>) -> tensor<1x2x2xf64, #dist.layout<#mesh, [{"x"}, {}, {}]>> {
  %r = vs.reshape %x : tensor<1x4xf64, #dist.layout<#mesh, [{"x"}, {}]>> -> tensor<1x2x2xf64, #dist.layout<#mesh, [{"x"}, {}, {}]>>
  return %r : tensor<1x2x2xf64, #dist.layout<#mesh, [{"x"}, {}, {}]>>
}

// A region that runs once is part of the program around it.
!h = tensor<4xf64, #dist.layout<#mesh, [{"x"}]>>
func.func @again(%x: !h, %y: !h) -> !h {
  %r = vs.recompute (%a = %x : !h, %b = %y : !h) -> (!h) {
    %s = vs.sub %a, %b : !h
    vs.yield %s : !h
  }
  %t = vs.add %r, %x : !h
  return %t : !h
}

// The adjoint is linear in the gradient, and so is what it is decomposed into.
!logits = tensor<2x9xf64, #dist.layout<#mesh, [{}, {}]>>
!gp = tensor<2xf64, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
!rp = tensor<2x9xf64, #dist.layout<#mesh, [{}, {}], partial = [sum: "x"]>>
func.func @partial_gradient(%x: !logits, %t: tensor<2xi32, #dist.layout<#mesh, [{}]>>, %g: !gp) -> !logits {
  %r = vs.cross_entropy_gradient %x, %t, %g {ignore_index = 1} : (!logits, tensor<2xi32, #dist.layout<#mesh, [{}]>>, !gp) -> !rp
  %w = dist.redistribute %r : !rp -> !logits
  return %w : !logits
}

// No matrix product as it lies in memory. That z is cut is known from the second operand alone.
!c = tensor<2x2x2xf64, #dist.layout<#mesh, [{}, {}, {}]>>
!z = tensor<2x2x1xf64, #dist.layout<#mesh, [{}, {}, {"x"}]>>
func.func @spread(%a: !c, %b: !z) -> !z {
  %r = vs.einsum "abc,bcz->caz" %a, %b : (!c, !z) -> !z
  return %r : !z
}

// A norm that is no number makes all gradients none.
func.func @no_norm(%g: tensor<3xf64>, %h: tensor<2xf64>) -> tensor<2xf64> {
  %z = vs.constant dense<0.0> : tensor<3xf64>
  %n = vs.div %z, %z : tensor<3xf64>
  %c:2, %norm = vs.clip_by_global_norm %n, %h {max_norm = 1.0} : (tensor<3xf64>, tensor<2xf64>) -> (tensor<3xf64>, tensor<2xf64>, tensor<f64>)
  return %c#1 : tensor<2xf64>
}
