// RUN: vescale-opt --dist-settle --dist-verify-placement --split-input-file %s | FileCheck %s

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
#x_y = #dist.layout<#mesh, [{"x"}, {"y"}]>
#y_ = #dist.layout<#mesh, [{"y"}, {}]>
#x_ = #dist.layout<#mesh, [{"x"}, {}]>

module attributes {dist.mesh = #mesh} {
  // CHECK-LABEL: func.func @contracting_dim_cut_alike
  func.func @contracting_dim_cut_alike(%x: tensor<8x32xf32, #x_y>, %w: tensor<32x16xf32, #y_>)
      -> tensor<8x16xf32, #x_> {
    // CHECK-NOT: dist.redistribute
    // CHECK: %[[PARTIAL:.*]] = vs.einsum
    // CHECK-SAME: -> tensor<8x16xf32, #dist.layout<#mesh, [{"x"}, {}], partial = [sum: "y"]>>
    // CHECK: %[[SUM:.*]] = dist.redistribute %[[PARTIAL]]
    // CHECK-SAME: -> tensor<8x16xf32, #dist.layout<#mesh, [{"x"}, {}]>>
    // CHECK-NOT: dist.redistribute
    // CHECK: return %[[SUM]]
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<8x32xf32, #x_y>, tensor<32x16xf32, #y_>) -> tensor<8x16xf32, #x_>
    return %0 : tensor<8x16xf32, #x_>
  }

  // The sum and the cut are one change: a reduce-scatter.
  // CHECK-LABEL: func.func @contracting_dim_and_result_dim_cut_by_one_axis
  func.func @contracting_dim_and_result_dim_cut_by_one_axis(
      %x: tensor<8x32xf32, #x_y>, %w: tensor<32x16xf32, #y_>) -> tensor<8x16xf32, #x_y> {
    // CHECK-NOT: dist.redistribute
    // CHECK: %[[PARTIAL:.*]] = vs.einsum
    // CHECK-SAME: -> tensor<8x16xf32, #dist.layout<#mesh, [{"x"}, {}], partial = [sum: "y"]>>
    // CHECK: dist.redistribute %[[PARTIAL]]
    // CHECK-SAME: -> tensor<8x16xf32, #dist.layout<#mesh, [{"x"}, {"y"}]>>
    // CHECK-NOT: dist.redistribute
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<8x32xf32, #x_y>, tensor<32x16xf32, #y_>) -> tensor<8x16xf32, #x_y>
    return %0 : tensor<8x16xf32, #x_y>
  }
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
#x_y = #dist.layout<#mesh, [{"x"}, {"y"}]>
#y_ = #dist.layout<#mesh, [{"y"}, {}]>
#_x = #dist.layout<#mesh, [{}, {"x"}]>

module attributes {dist.mesh = #mesh} {
  // The operands are small beside the result: they move.
  // CHECK-LABEL: func.func @conflict_with_small_operands
  func.func @conflict_with_small_operands(%x: tensor<2048x4xf32, #x_y>, %w: tensor<4x4096xf32, #y_>)
      -> tensor<2048x4096xf32, #_x> {
    // CHECK: vs.einsum
    // CHECK-SAME: -> tensor<2048x4096xf32, #dist.layout<#mesh, [{}, {"x"}]>>
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<2048x4xf32, #x_y>, tensor<4x4096xf32, #y_>) -> tensor<2048x4096xf32, #_x>
    return %0 : tensor<2048x4096xf32, #_x>
  }

  // The operands are large: the result moves.
  // CHECK-LABEL: func.func @conflict_with_large_operands
  func.func @conflict_with_large_operands(%x: tensor<8x32xf32, #x_y>, %w: tensor<32x16xf32, #y_>)
      -> tensor<8x16xf32, #_x> {
    // CHECK-NOT: dist.redistribute
    // CHECK: %[[PARTIAL:.*]] = vs.einsum
    // CHECK-SAME: -> tensor<8x16xf32, #dist.layout<#mesh, [{"x"}, {}], partial = [sum: "y"]>>
    // CHECK: dist.redistribute %[[PARTIAL]]
    // CHECK-SAME: -> tensor<8x16xf32, #dist.layout<#mesh, [{}, {"x"}]>>
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<8x32xf32, #x_y>, tensor<32x16xf32, #y_>) -> tensor<8x16xf32, #_x>
    return %0 : tensor<8x16xf32, #_x>
  }
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#_x = #dist.layout<#mesh, [{}, {"x"}]>
#x_ = #dist.layout<#mesh, [{"x"}, {}]>
#all = #dist.layout<#mesh, [{}, {}]>

module attributes {dist.mesh = #mesh} {
  // Two contributions are added first and reduced once.
  // CHECK-LABEL: func.func @sums_of_partial_values_are_reduced_once
  func.func @sums_of_partial_values_are_reduced_once(
      %x: tensor<8x32xf32, #_x>, %w: tensor<32x16xf32, #x_>, %v: tensor<32x16xf32, #x_>)
      -> tensor<8x16xf32, #all> {
    // CHECK-NOT: dist.redistribute
    // CHECK: vs.add {{.*}} : tensor<8x16xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "x"]>>
    // CHECK-NEXT: dist.redistribute
    // CHECK-NEXT: vs.tanh
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<8x32xf32, #_x>, tensor<32x16xf32, #x_>) -> tensor<8x16xf32, #all>
    %1 = vs.einsum "md,dn->mn" %x, %v
        : (tensor<8x32xf32, #_x>, tensor<32x16xf32, #x_>) -> tensor<8x16xf32, #all>
    %2 = vs.add %0, %1 : tensor<8x16xf32, #all>
    %3 = vs.tanh %2 : tensor<8x16xf32, #all>
    return %3 : tensor<8x16xf32, #all>
  }

  // A residual is added to a reduced value, and both uses share the reduction.
  // CHECK-LABEL: func.func @uses_share_a_reduction
  func.func @uses_share_a_reduction(
      %x: tensor<64x32xf32, #_x>, %w: tensor<32x512xf32, #x_>, %r: tensor<64x512xf32, #all>)
      -> tensor<64x512xf32, #all> {
    // CHECK: vs.einsum
    // CHECK-NEXT: %[[SUM:.*]] = dist.redistribute
    // CHECK-NEXT: %[[H:.*]] = vs.add %{{.*}}, %[[SUM]]
    // CHECK-NEXT: vs.tanh %[[H]]
    // CHECK-NEXT: vs.add
    // CHECK-NEXT: return
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<64x32xf32, #_x>, tensor<32x512xf32, #x_>) -> tensor<64x512xf32, #all>
    %1 = vs.add %r, %0 : tensor<64x512xf32, #all>
    %2 = vs.tanh %1 : tensor<64x512xf32, #all>
    %3 = vs.add %1, %2 : tensor<64x512xf32, #all>
    return %3 : tensor<64x512xf32, #all>
  }

  // What a loop accumulates is reduced once, after the loop.
  // CHECK-LABEL: func.func @accumulation_stays_partial
  func.func @accumulation_stays_partial(
      %x: tensor<8x32xf32, #_x>, %w: tensor<32x16xf32, #x_>, %zero: tensor<8x16xf32, #all>)
      -> tensor<8x16xf32, #all> {
    // CHECK: dist.redistribute %{{.*}} -> tensor<8x16xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "x"]>>
    // CHECK-NEXT: vs.repeat 4
    // CHECK-NEXT:   vs.einsum
    // CHECK-NEXT:   vs.add
    // CHECK-NEXT:   vs.yield
    // CHECK: %[[SUM:.*]] = dist.redistribute
    // CHECK-NEXT: return %[[SUM]]
    %0 = vs.repeat 4 (%acc = %zero : tensor<8x16xf32, #all>)
        invariant (%a = %x : tensor<8x32xf32, #_x>, %b = %w : tensor<32x16xf32, #x_>)
        -> (tensor<8x16xf32, #all>) {
      %1 = vs.einsum "md,dn->mn" %a, %b
          : (tensor<8x32xf32, #_x>, tensor<32x16xf32, #x_>) -> tensor<8x16xf32, #all>
      %2 = vs.add %acc, %1 : tensor<8x16xf32, #all>
      vs.yield %2 : tensor<8x16xf32, #all>
    }
    return %0 : tensor<8x16xf32, #all>
  }

  // Each use of a fully cut weight gathers it.
  // CHECK-LABEL: func.func @weights_are_gathered_for_each_use
  func.func @weights_are_gathered_for_each_use(
      %x: tensor<64x16xf32, #x_>, %w: tensor<16x16xf32, #x_>) -> tensor<64x16xf32, #x_> {
    // CHECK: dist.redistribute %arg1
    // CHECK-NEXT: vs.einsum
    // CHECK-NEXT: dist.redistribute %arg1
    // CHECK-NEXT: vs.einsum
    // CHECK-NEXT: return
    %0 = vs.einsum "bd,fd->bf" %x, %w
        : (tensor<64x16xf32, #x_>, tensor<16x16xf32, #x_>) -> tensor<64x16xf32, #x_>
    %1 = vs.einsum "bf,fd->bd" %0, %w
        : (tensor<64x16xf32, #x_>, tensor<16x16xf32, #x_>) -> tensor<64x16xf32, #x_>
    return %1 : tensor<64x16xf32, #x_>
  }
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#_x = #dist.layout<#mesh, [{}, {"x"}]>
#x_ = #dist.layout<#mesh, [{"x"}, {}]>
#all = #dist.layout<#mesh, [{}, {}]>

module attributes {dist.mesh = #mesh} {
  // Two branches with biases of their own are added before they are reduced, since one reduction
  // then serves both: no op alone would wait for the other branch.
  // CHECK-LABEL: func.func @parallel_branches_are_reduced_once
  func.func @parallel_branches_are_reduced_once(
      %x: tensor<64x32xf32, #_x>, %w: tensor<32x512xf32, #x_>, %v: tensor<32x512xf32, #x_>,
      %a: tensor<64x512xf32, #all>, %b: tensor<64x512xf32, #all>) -> tensor<64x512xf32, #all> {
    // CHECK-COUNT-1: partial = [sum: "x"]>> -> tensor<64x512xf32, #dist.layout<#mesh, [{}, {}]>>
    // CHECK-NOT:     partial = [sum: "x"]>> -> tensor<64x512xf32, #dist.layout<#mesh, [{}, {}]>>
    // CHECK:         return
    %0 = vs.einsum "md,dn->mn" %x, %w
        : (tensor<64x32xf32, #_x>, tensor<32x512xf32, #x_>) -> tensor<64x512xf32, #all>
    %1 = vs.add %0, %a : tensor<64x512xf32, #all>
    %2 = vs.einsum "md,dn->mn" %x, %v
        : (tensor<64x32xf32, #_x>, tensor<32x512xf32, #x_>) -> tensor<64x512xf32, #all>
    %3 = vs.add %2, %b : tensor<64x512xf32, #all>
    %4 = vs.add %1, %3 : tensor<64x512xf32, #all>
    %5 = vs.tanh %4 : tensor<64x512xf32, #all>
    return %5 : tensor<64x512xf32, #all>
  }
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#all1 = #dist.layout<#mesh, [{}]>
#all2 = #dist.layout<#mesh, [{}, {}]>
#x_ = #dist.layout<#mesh, [{"x"}, {}]>
#_x = #dist.layout<#mesh, [{}, {"x"}]>

module attributes {dist.mesh = #mesh} {
  // A normalisation is linear in its gradient, but the gradients of its weights would be partial
  // too: the reduction moves in front of it.
  // CHECK-LABEL: func.func @gradients_are_reduced_before_a_normalisation
  func.func @gradients_are_reduced_before_a_normalisation(
      %g: tensor<64x128xf32, #_x>, %w: tensor<128x32xf32, #x_>, %x: tensor<64x32xf32, #all2>,
      %weight: tensor<32xf32, #all1>, %mean: tensor<64xf32, #all1>, %rstd: tensor<64xf32, #all1>)
      -> (tensor<64x32xf32, #all2>, tensor<32xf32, #all1>, tensor<32xf32, #all1>) {
    // CHECK:      vs.einsum
    // CHECK-NEXT: %[[SUM:.*]] = dist.redistribute {{.*}}, partial = [sum: "x"]>> -> tensor<64x32xf32, #dist.layout<#mesh, [{}, {}]>>
    // CHECK-NEXT: vs.layer_norm_gradient %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[SUM]]
    // CHECK-NEXT: return
    %0 = vs.einsum "mf,fd->md" %g, %w
        : (tensor<64x128xf32, #_x>, tensor<128x32xf32, #x_>) -> tensor<64x32xf32, #all2>
    %dx, %dw, %db = vs.layer_norm_gradient %x, %weight, %mean, %rstd, %0
        : (tensor<64x32xf32, #all2>, tensor<32xf32, #all1>, tensor<64xf32, #all1>,
           tensor<64xf32, #all1>, tensor<64x32xf32, #all2>)
        -> (tensor<64x32xf32, #all2>, tensor<32xf32, #all1>, tensor<32xf32, #all1>)
    return %dx, %dw, %db : tensor<64x32xf32, #all2>, tensor<32xf32, #all1>, tensor<32xf32, #all1>
  }
}

// -----

#mesh = #dist.mesh<["x" = 4]>
#b = #dist.layout<#mesh, [{"x"}, {}]>
#d = #dist.layout<#mesh, [{}, {"x"}]>
#all = #dist.layout<#mesh, [{}, {}]>

module attributes {dist.mesh = #mesh} {
  // Propagation has left every other value of a residual stream in another layout: it keeps one.
  // CHECK-LABEL: func.func @a_residual_stream_keeps_one_layout
  func.func @a_residual_stream_keeps_one_layout(%x: tensor<64x64xf32, #b>, %w: tensor<64x64xf32, #all>)
      -> tensor<64x64xf32, #b> {
    // CHECK-NOT: dist.redistribute
    // CHECK:     return
    %0 = vs.einsum "bd,fd->bf" %x, %w
        : (tensor<64x64xf32, #b>, tensor<64x64xf32, #all>) -> tensor<64x64xf32, #d>
    %1 = vs.tanh %0 : tensor<64x64xf32, #d>
    %2 = vs.add %1, %1 : tensor<64x64xf32, #d>
    %3 = vs.einsum "bd,fd->bf" %2, %w
        : (tensor<64x64xf32, #d>, tensor<64x64xf32, #all>) -> tensor<64x64xf32, #b>
    %4 = vs.tanh %3 : tensor<64x64xf32, #b>
    %5 = vs.add %x, %4 : tensor<64x64xf32, #b>
    return %5 : tensor<64x64xf32, #b>
  }
}
