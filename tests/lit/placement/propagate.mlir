// RUN: vescale-opt --dist-propagate --split-input-file %s | FileCheck %s

// Layouts spread through elementwise ops and contractions.

#mesh = #dist.mesh<["a" = 2, "b" = 2]>

// CHECK-LABEL: func.func @simple
// CHECK-SAME:    %arg0: tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {"b"}]>>
// CHECK-SAME:    %arg1: tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {"b"}]>>
// CHECK-SAME:    %arg2: tensor<8x16xf32, #dist.layout<#mesh, [{"b"}, {}]>>
// CHECK-SAME:    -> tensor<8x16xf32, #dist.layout<#mesh, [{"a"}, {}]>>
func.func @simple(%x: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}, {"b"}]>},
                  %y: tensor<8x8xf32>, %w: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: vs.add %arg0, %arg1 : tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {"b"}]>>
  %0 = vs.add %x, %y : tensor<8x8xf32>
  %1 = vs.einsum "md,dn->mn" %0, %w : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2, "b" = 2]>

// CHECK-LABEL: func.func @reshape_merges_dims_major_factor_fully_cut
// CHECK-SAME:    -> tensor<8xf32, #dist.layout<#mesh, [{"a", "b"}]>>
func.func @reshape_merges_dims_major_factor_fully_cut(
    %x: tensor<2x4xf32> {dist.wish = #dist.wish<#mesh, [{"a"}, {"b"}]>}) -> tensor<8xf32> {
  %0 = vs.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2, "b" = 2]>

// The minor dim's pieces would be strided once both are flattened.
// CHECK-LABEL: func.func @reshape_merges_dims_major_factor_partly_cut
// CHECK-SAME:    -> tensor<16xf32, #dist.layout<#mesh, [{"a"}]>>
func.func @reshape_merges_dims_major_factor_partly_cut(
    %x: tensor<4x4xf32> {dist.wish = #dist.wish<#mesh, [{"a"}, {"b"}]>}) -> tensor<16xf32> {
  %0 = vs.reshape %x : tensor<4x4xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

#mesh = #dist.mesh<["a" = 4]>

// CHECK-LABEL: func.func @reshape_splits_a_dim_that_one_axis_cuts
// CHECK-SAME:    -> tensor<2x4xf32, #dist.layout<#mesh, [{"a":(1)2}, {"a":(2)2}]>>
func.func @reshape_splits_a_dim_that_one_axis_cuts(
    %x: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}]>}) -> tensor<2x4xf32> {
  %0 = vs.reshape %x : tensor<8xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// Two free dims of a contraction meet only in its result: what the left operand has does not
// keep the right one from learning of the result.
// CHECK-LABEL: func.func @fake_conflict_between_free_dims
// CHECK-SAME:    %arg0: tensor<256x512xf32, #dist.layout<#mesh, [{"a"}, {}]>>
// CHECK-SAME:    %arg1: tensor<128x512xf32, #dist.layout<#mesh, [{"a"}, {}]>>
// CHECK-SAME:    -> tensor<256x128xf32, #dist.layout<#mesh, [{}, {"a"}]>>
func.func @fake_conflict_between_free_dims(
    %x: tensor<256x512xf32> {dist.wish = #dist.wish<#mesh, [{"a", ?}, {?}]>},
    %y: tensor<128x512xf32>)
    -> (tensor<256x128xf32> {dist.wish = #dist.wish<#mesh, [{?}, {"a", ?}]>}) {
  %0 = vs.einsum "md,nd->mn" %x, %y
      : (tensor<256x512xf32>, tensor<128x512xf32>) -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// CHECK-LABEL: func.func @real_conflict_of_tensors_of_one_size
// CHECK-SAME:    -> tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {}]>>
func.func @real_conflict_of_tensors_of_one_size(
    %x: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}, {?}]>},
    %y: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{?}, {"a"}]>}) -> tensor<8x8xf32> {
  %0 = vs.add %x, %y : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2, "b" = 2]>

// CHECK-LABEL: func.func @elementwise_prefers_the_factor_with_most_shards
// CHECK-SAME:    -> tensor<8x8xf32, #dist.layout<#mesh, [{"b", "a"}, {}]>>
func.func @elementwise_prefers_the_factor_with_most_shards(
    %x: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{}, {"a"}]>},
    %y: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"b", "a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = vs.add %x, %y : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// Layouts pass through the additions before the contraction imposes its own.
// CHECK-LABEL: func.func @elementwise_before_contraction
// CHECK-SAME:    %arg0: tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {}]>>
// CHECK-SAME:    %arg1: tensor<8x8xf32, #dist.layout<#mesh, [{}, {"a"}]>>
// CHECK-SAME:    -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {"a"}]>>
func.func @elementwise_before_contraction(
    %x: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"a", ?}, {?}]>}, %y: tensor<8x8xf32>)
    -> (tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{?}, {"a", ?}]>}) {
  // CHECK: vs.einsum {{.*}} -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {"a"}]>>
  %0 = vs.einsum "md,dn->mn" %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-COUNT-2: vs.add {{.*}} : tensor<8x8xf32, #dist.layout<#mesh, [{}, {"a"}]>>
  %1 = vs.add %0, %0 : tensor<8x8xf32>
  %2 = vs.add %1, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// CHECK-LABEL: func.func @priorities_of_arguments
// CHECK-SAME:    %arg0: tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {}]>>
// CHECK-SAME:    %arg1: tensor<8x16xf32, #dist.layout<#mesh, [{}, {"a"}]>>
// CHECK-SAME:    -> tensor<8x16xf32, #dist.layout<#mesh, [{"a"}, {}]>>
func.func @priorities_of_arguments(
    %x: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}p0, {?}]>},
    %y: tensor<8x16xf32> {dist.wish = #dist.wish<#mesh, [{?}, {"a"}p1]>}) -> tensor<8x16xf32> {
  %0 = vs.einsum "md,dn->mn" %x, %y : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

#mesh = #dist.mesh<["tp" = 2]>

// An interleaved cut of the fused weight is a plain cut of the heads behind the reshape.
// CHECK-LABEL: func.func @interleaved_weights_give_plain_heads
// CHECK-SAME:    -> tensor<8x3x4x4xf32, #dist.layout<#mesh, [{}, {}, {"tp"}, {}]>>
func.func @interleaved_weights_give_plain_heads(
    %x: tensor<8x16xf32>, %w: tensor<48x16xf32> {dist.wish = #dist.wish<#mesh, [{"tp" / 3}, {}]>})
    -> tensor<8x3x4x4xf32> {
  // CHECK: vs.einsum {{.*}} -> tensor<8x48xf32, #dist.layout<#mesh, [{}, {"tp" / 3}]>>
  %0 = vs.einsum "bd,fd->bf" %x, %w : (tensor<8x16xf32>, tensor<48x16xf32>) -> tensor<8x48xf32>
  %1 = vs.reshape %0 : tensor<8x48xf32> -> tensor<8x3x4x4xf32>
  return %1 : tensor<8x3x4x4xf32>
}

// -----

#mesh = #dist.mesh<["tp" = 2]>

// Heads that do not divide are cut in blocks of their size once they are flattened.
// CHECK-LABEL: func.func @heads_that_do_not_divide
// CHECK-SAME:    -> tensor<8x12xf32, #dist.layout<#mesh, [{}, {"tp" by 4}]>>
func.func @heads_that_do_not_divide(
    %x: tensor<8x3x4xf32> {dist.wish = #dist.wish<#mesh, [{}, {"tp"}, {}]>}) -> tensor<8x12xf32> {
  %0 = vs.reshape %x : tensor<8x3x4xf32> -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// CHECK-LABEL: func.func @a_barrier_stops_what_comes_forward
// CHECK-SAME:    -> tensor<8xf32, #dist.layout<#mesh, [{}]>>
func.func @a_barrier_stops_what_comes_forward(
    %x: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}]>}) -> tensor<8xf32> {
  // CHECK: dist.redistribute
  %0 = dist.barrier forward %x : tensor<8xf32>
  %1 = vs.neg %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// CHECK-LABEL: func.func @members_of_a_group_are_laid_out_alike
// CHECK-SAME:    %arg0: tensor<8xf32, #dist.layout<#mesh, [{"a"}]>>
// CHECK-SAME:    %arg1: tensor<8xf32, #dist.layout<#mesh, [{"a"}]>>
func.func @members_of_a_group_are_laid_out_alike(
    %x: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}]>}, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = dist.group %x {id = 0} : tensor<8xf32>
  %1 = dist.group %y {id = 0} : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// One zero that two values share does not tie them.
// CHECK-LABEL: func.func @constants_are_split_by_use
// CHECK-SAME:    %arg0: tensor<8xf32, #dist.layout<#mesh, [{"a"}]>>
// CHECK-SAME:    %arg1: tensor<8xf32, #dist.layout<#mesh, [{}]>>
func.func @constants_are_split_by_use(
    %x: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}]>}, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = vs.constant dense<0.0> : tensor<8xf32>
  %0 = vs.add %x, %zero : tensor<8xf32>
  %1 = vs.add %y, %zero : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// An axis that must stay unused does.
// CHECK-LABEL: func.func @replicated_axes
// CHECK-SAME:    %arg0: tensor<8xf32, #dist.layout<#mesh, [{"a"}]>>
// CHECK-SAME:    %arg1: tensor<8xf32, #dist.layout<#mesh, [{}]>>
func.func @replicated_axes(
    %x: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}]>},
    %y: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{?}], replicated = ["a"]>}) -> tensor<8xf32> {
  %0 = vs.add %x, %y : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// What a loop carries has one layout, and so has its state argument and the result that takes
// its place.
// CHECK-LABEL: func.func @loops_and_aliases
// CHECK-SAME:    %arg0: tensor<8xf32, #dist.layout<#mesh, [{"a"}]>>
// CHECK-SAME:    -> (tensor<8xf32, #dist.layout<#mesh, [{"a"}]>> {vs.aliases = 0 : i64})
func.func @loops_and_aliases(%s: tensor<8xf32>, %x: tensor<8xf32> {dist.wish = #dist.wish<#mesh, [{"a"}]>})
    -> (tensor<8xf32> {vs.aliases = 0 : i64}) {
  %0 = vs.repeat 4 (%c = %s : tensor<8xf32>) invariant (%i = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %1 = vs.add %c, %i : tensor<8xf32>
    vs.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 4]>

// The left operand is the larger one, so its factor would win by size. But where the op is cut on the
// batch it only has to move the cut to another dim, and where it is cut on m the right operand must
// be gathered as a whole.
// CHECK-LABEL: func.func @a_conflict_goes_to_the_factor_for_which_less_moves
// CHECK-SAME:    -> tensor<8x64x32xf32, #dist.layout<#mesh, [{"a"}, {}, {}]>>
func.func @a_conflict_goes_to_the_factor_for_which_less_moves(
    %x: tensor<8x64x256xf32> {dist.wish = #dist.wish<#mesh, [{}, {"a"}, {}]>},
    %y: tensor<8x32x256xf32> {dist.wish = #dist.wish<#mesh, [{"a"}, {}, {}]>})
    -> tensor<8x64x32xf32> {
  %0 = vs.einsum "bmk,bnk->bmn" %x, %y
      : (tensor<8x64x256xf32>, tensor<8x32x256xf32>) -> tensor<8x64x32xf32>
  return %0 : tensor<8x64x32xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2, "b" = 2]>

// A ragged cut is of what the other cuts leave: its tensor takes no further ones, and one that is
// partial over the axis does not take the ragged cut.
// CHECK-LABEL: func.func @ragged_beside_others
// CHECK-SAME:    %arg0: tensor<5x4xf32, #dist.layout<#mesh, [{}, {}], ragged = {"a", dims = 1, units = [2, 3]}>>
// CHECK-SAME:    %arg1: tensor<5x4xf32, #dist.layout<#mesh, [{"b"}, {}]>>
// CHECK-SAME:    %arg2: tensor<5x4xf32, #dist.layout<#mesh, [{"b"}, {}], partial = [sum: "a"]>>
func.func @ragged_beside_others(
    %x: tensor<5x4xf32> {dist.wish = #dist.wish<#mesh, [{?}, {?}], ragged = {"a", dims = 1, units = [2, 3]}>},
    %y: tensor<5x4xf32> {dist.wish = #dist.wish<#mesh, [{"b"}, {}]>},
    %z: tensor<5x4xf32> {dist.wish = #dist.wish<#mesh, [{?}, {?}], partial = [sum: "a"]>}) -> tensor<5x4xf32> {
  %0 = vs.add %x, %y : tensor<5x4xf32>
  %1 = vs.add %0, %z : tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// Both places of an operand that stands twice learn "a", each for another dim: the first takes it.
// CHECK-LABEL: func.func @an_operand_that_stands_twice
// CHECK-SAME:    %arg0: tensor<4x4xf32, #dist.layout<#mesh, [{}, {"a"}]>>
func.func @an_operand_that_stands_twice(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %0 = vs.einsum "ab,ba->b" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %1 = dist.constrain %0 {wish = #dist.wish<#mesh, [{"a"}]>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
