// RUN: vescale-opt %s -split-input-file -verify-diagnostics

// The constraints that all steps share, at one of them.

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @shapes_differ(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{keeps shape and element type: 'tensor<8xf32>' before, 'tensor<4xf32>' after}}
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                         -> tensor<4xf32, #dist.layout<#mesh, [{}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @no_layout_before(%x: tensor<8xf32>) {
  // expected-error @below {{needs a layout before it}}
  %y = dist.slice %x : tensor<8xf32> -> tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @no_layout_after(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{needs a layout after it}}
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>> -> tensor<8xf32>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#other = #dist.mesh<["x" = 2], device_ids = [1, 0]>
func.func @two_meshes(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{all_gather stays on one mesh}}
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                         -> tensor<8xf32, #dist.layout<#other, [{}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @id_is_negative(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{id is negative: -1}}
  %y = dist.all_gather %x {id = -1} : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                                   -> tensor<8xf32, #dist.layout<#mesh, [{}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @nothing_changes(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{exchange changes nothing: the layouts are equal}}
  %y = dist.exchange %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                       -> tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

// slice

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @slice_by_a_major_axis(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{slice: the cuts {"x"} of dim 0 before it are not the major ones of {"y", "x"} after it}}
  %y = dist.slice %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                    -> tensor<8xf32, #dist.layout<#mesh, [{"y", "x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @slice_a_partial_axis(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>) {
  // expected-error @below {{slice must leave what the value is partial over}}
  %y = dist.slice %x : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
                    -> tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @slice_beneath_a_ragged_part(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>>) {
  // expected-error @below {{slice: dim 0 changes beneath the ragged part that flattens it}}
  %y = dist.slice %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>>
     -> tensor<8xf32, #dist.layout<#mesh, [{"y"}], ragged = {"x", dims = 1, units = [1, 3]}>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func @slice_by_the_rest_of_an_uneven_axis(
    %x: tensor<5xf32, #dist.layout<#mesh, [{"x":(1)2}]>>) {
  // expected-error @below {{are not the major ones of}}
  %y = dist.slice %x : tensor<5xf32, #dist.layout<#mesh, [{"x":(1)2}]>>
                    -> tensor<5xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

// all_gather

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @gather_the_major_axis(%x: tensor<8xf32, #dist.layout<#mesh, [{"x", "y"}]>>) {
  // expected-error @below {{all_gather: the cuts {"y"} of dim 0 after it are not the major ones of {"x", "y"} before it}}
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"x", "y"}]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @gather_another_interleaving(%x: tensor<12xf32, #dist.layout<#mesh, [{"x" / 3, "y"}]>>) {
  // expected-error @below {{are not the major ones of}}
  %y = dist.all_gather %x : tensor<12xf32, #dist.layout<#mesh, [{"x" / 3, "y"}]>>
                         -> tensor<12xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @gather_and_reduce(
    %x: tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "y"]>>) {
  // expected-error @below {{all_gather must leave what the value is partial over: before it is [sum: "y"], after it nothing}}
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "y"]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @gather_changes_the_reduction(
    %x: tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "y"]>>) {
  // expected-error @below {{all_gather must leave what the value is partial over}}
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "y"]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{}], partial = [max: "y"]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @gather_into_another_ragged_part(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>>) {
  // expected-error @below {{all_gather: the ragged part}}
  %y = dist.all_gather %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>>
     -> tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [3, 1]}>>
  return
}

// -----

// all_to_all

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @move_the_major_axis(%x: tensor<8x8xf32, #dist.layout<#mesh, [{"x", "y"}, {}]>>) {
  // expected-error @below {{all_to_all: dim 0 neither keeps its cuts nor loses or gains minor ones: {"x", "y"} before, {"y"} after}}
  %y = dist.all_to_all %x : tensor<8x8xf32, #dist.layout<#mesh, [{"x", "y"}, {}]>>
                         -> tensor<8x8xf32, #dist.layout<#mesh, [{"y"}, {"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @an_axis_leaves(%x: tensor<8x8xf32, #dist.layout<#mesh, [{"x"}, {}]>>) {
  // expected-error @below {{all_to_all: dim 0 loses cuts by ["x"], which no one dim gains}}
  %y = dist.all_to_all %x : tensor<8x8xf32, #dist.layout<#mesh, [{"x"}, {}]>>
                         -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @an_axis_enters(%x: tensor<8x8xf32, #dist.layout<#mesh, [{}, {}]>>) {
  // expected-error @below {{all_to_all: dim 1 gains cuts by ["x"], which no one dim loses}}
  %y = dist.all_to_all %x : tensor<8x8xf32, #dist.layout<#mesh, [{}, {}]>>
                         -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @axes_of_one_dim_part(%x: tensor<8x8x8xf32, #dist.layout<#mesh, [{"x", "y"}, {}, {}]>>) {
  // expected-error @below {{all_to_all: dim 0 loses cuts by ["x", "y"], which no one dim gains}}
  %y = dist.all_to_all %x : tensor<8x8x8xf32, #dist.layout<#mesh, [{"x", "y"}, {}, {}]>>
                         -> tensor<8x8x8xf32, #dist.layout<#mesh, [{}, {"x"}, {"y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @move_and_reduce(
    %x: tensor<8x8xf32, #dist.layout<#mesh, [{"x"}, {}], partial = [sum: "y"]>>) {
  // expected-error @below {{all_to_all must leave what the value is partial over}}
  %y = dist.all_to_all %x : tensor<8x8xf32, #dist.layout<#mesh, [{"x"}, {}], partial = [sum: "y"]>>
                         -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @move_beneath_a_ragged_part(
    %x: tensor<8x8xf32, #dist.layout<#mesh, [{}, {"y"}], ragged = {"x", dims = 1, units = [1, 3]}>>) {
  // expected-error @below {{all_to_all does not move axes of ragged layouts}}
  %y = dist.all_to_all %x
      : tensor<8x8xf32, #dist.layout<#mesh, [{}, {"y"}], ragged = {"x", dims = 1, units = [1, 3]}>>
     -> tensor<8x8xf32, #dist.layout<#mesh, [{"y"}, {}], ragged = {"x", dims = 1, units = [1, 3]}>>
  return
}

// -----

// permute

#mesh = #dist.mesh<["x" = 2, "y" = 4]>
func.func @permute_to_other_parts(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{permute: the cuts {"x"} and {"y"} do not make the same parts of dim 0 of size 8}}
  %y = dist.permute %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                      -> tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 3]>
func.func @permute_uneven_axes(%x: tensor<5xf32, #dist.layout<#mesh, [{"x", "y"}]>>) {
  // expected-error @below {{do not make the same parts of dim 0 of size 5}}
  %y = dist.permute %x : tensor<5xf32, #dist.layout<#mesh, [{"x", "y"}]>>
                      -> tensor<5xf32, #dist.layout<#mesh, [{"y", "x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @permute_and_reduce(
    %x: tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "y"]>>) {
  // expected-error @below {{permute must leave what the value is partial over}}
  %y = dist.permute %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "y"]>>
                      -> tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @permute_ragged_parts(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>>) {
  // expected-error @below {{permute does not move parts of ragged layouts}}
  %y = dist.permute %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>>
     -> tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"y", dims = 1, units = [1, 3]}>>
  return
}

// -----

// reduce_scatter

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @scatter_what_is_not_partial(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>) {
  // expected-error @below {{reduce_scatter: the axes that start to cut, ["y"], are not those that cease to be partial between ["x"] and []}}
  %y = dist.reduce_scatter %x : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
                             -> tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @scatter_the_major_axis(
    %x: tensor<8xf32, #dist.layout<#mesh, [{"y"}], partial = [sum: "x"]>>) {
  // expected-error @below {{reduce_scatter: the cuts {"y"} of dim 0 before it are not the major ones of {"x", "y"} after it}}
  %y = dist.reduce_scatter %x : tensor<8xf32, #dist.layout<#mesh, [{"y"}], partial = [sum: "x"]>>
                             -> tensor<8xf32, #dist.layout<#mesh, [{"x", "y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @scatter_changes_the_reduction(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x", sum: "y"]>>) {
  // expected-error @below {{reduce_scatter cannot turn a pending sum into a pending max}}
  %y = dist.reduce_scatter %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x", sum: "y"]>>
     -> tensor<8xf32, #dist.layout<#mesh, [{"x"}], partial = [max: "y"]>>
  return
}

// -----

// all_reduce

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @reduce_and_slice(%x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>) {
  // expected-error @below {{all_reduce must leave the cuts of dim 0: {} before, {"y"} after}}
  %y = dist.all_reduce %x : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @reduce_into_a_ragged_part(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>) {
  // expected-error @below {{all_reduce must leave the ragged part}}
  %y = dist.all_reduce %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
     -> tensor<8xf32, #dist.layout<#mesh, [{}], ragged = {"y", dims = 1, units = [1, 3]}>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @reduce_to_partial(%x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>) {
  // expected-error @below {{all_reduce: the value is partial over ["x"] before, which does not contain ["y"] after}}
  %y = dist.all_reduce %x : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "y"]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @reduce_changes_the_reduction(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x", sum: "y"]>>) {
  // expected-error @below {{all_reduce cannot turn a pending sum into a pending min}}
  %y = dist.all_reduce %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x", sum: "y"]>>
     -> tensor<8xf32, #dist.layout<#mesh, [{}], partial = [min: "y"]>>
  return
}

// -----

// to_partial

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @a_major_cut_becomes_partial(%x: tensor<8xf32, #dist.layout<#mesh, [{"x", "y"}]>>) {
  // expected-error @below {{to_partial: the cuts {"y"} of dim 0 after it are not the major ones of {"x", "y"} before it}}
  %y = dist.to_partial %x : tensor<8xf32, #dist.layout<#mesh, [{"x", "y"}]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{"y"}], partial = [sum: "x"]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @a_cut_vanishes(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{to_partial: the value must be partial after it over [], over which it was partial, and over ["x"], whose cuts it gives up; it is over ["y"]}}
  %y = dist.to_partial %x : tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "y"]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @partial_changes_the_reduction(
    %x: tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>) {
  // expected-error @below {{to_partial cannot turn a pending sum into a pending max}}
  %y = dist.to_partial %x
      : tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
     -> tensor<8xf32, #dist.layout<#mesh, [{}], partial = [max: "x", max: "y"]>>
  return
}
