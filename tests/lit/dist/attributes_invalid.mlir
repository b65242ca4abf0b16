// RUN: vescale-opt %s -split-input-file -verify-diagnostics

// The errors stand at the column of the text that is wrong.

// expected-error @below {{mesh axis "x" is declared twice}}
#mesh = #dist.mesh<["x" = 2, "x" = 4]>

// -----

// expected-error @below {{name}}
#mesh = #dist.mesh<["" = 2]>

// -----

// expected-error @below {{size}}
#mesh = #dist.mesh<["x" = 0]>

// -----

// expected-error @below {{device_ids lists 1 devices, but the mesh has 2}}
#mesh = #dist.mesh<["x" = 2], device_ids = [0]>

// -----

// expected-error @below {{device_ids has device 1 twice}}
#mesh = #dist.mesh<["x" = 2], device_ids = [1, 1]>

// -----

// expected-error @below {{device_ids has the negative id -1}}
#mesh = #dist.mesh<["x" = 2], device_ids = [0, -1]>

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{unknown axis "y"; the mesh is ["x" = 2]}}
func.func private @unknown_axis(tensor<4xf32, #dist.layout<#mesh, [{"y"}]>>)

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{axis used twice}}
func.func private @axis_used_twice(tensor<4x4xf32, #dist.layout<#mesh, [{"x"}, {"x"}]>>)

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func private @axis_cuts_and_is_partial(
    // expected-error @below {{axis used twice}}
    tensor<4xf32, #dist.layout<#mesh, [{"x"}], partial = [sum: "x"]>>)

// -----

#mesh = #dist.mesh<["x" = 8]>
func.func private @sub_axes_overlap(
    // expected-error @below {{axis used twice}}
    tensor<8x8xf32, #dist.layout<#mesh, [{"x":(1)4}, {"x":(2)2}]>>)

// -----

#mesh = #dist.mesh<["x" = 8]>
// expected-error @below {{sub}}
func.func private @sub_axis_does_not_divide(tensor<8xf32, #dist.layout<#mesh, [{"x":(1)3}]>>)

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{the layout has rank 2 but the tensor has rank 1}}
func.func private @layout_of_another_rank(tensor<4xf32, #dist.layout<#mesh, [{"x"}, {}]>>)

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{a tensor with a layout has a static shape, but dim 0 is dynamic}}
func.func private @dynamic_shape(tensor<?xf32, #dist.layout<#mesh, [{"x"}]>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
// expected-error @below {{dim 0: interleaved cut "x" / 3 does not divide: 18 is not divisible by 3 * 4}}
func.func private @interleaved_cut_does_not_divide(tensor<18xf32, #dist.layout<#mesh, [{"x" / 3}]>>)

// -----

#mesh = #dist.mesh<["x" = 4, "y" = 2]>
func.func private @two_reductions(
    // expected-error @below {{partial by sum and by max on one value has no defined order; reduce one of them first}}
    tensor<4xf32, #dist.layout<#mesh, [{}], partial = [sum: "x", max: "y"]>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func private @a_mean_is_no_reduction(
    // expected-error @below {{unknown reduction `avg`: a mean over uneven shards is not the mean of means; write sum and scale by the global count}}
    tensor<4xf32, #dist.layout<#mesh, [{}], partial = [avg: "x"]>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func private @bitwise_reduction_of_floats(
    // expected-error @below {{partial [and] is not defined on elements of type 'f32'}}
    tensor<4xf32, #dist.layout<#mesh, [{}], partial = [and: "x"]>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func private @sum_of_truth_values(
    // expected-error @below {{partial [sum] is not defined on elements of type 'i1'}}
    tensor<4xi1, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func @wished_sum_of_truth_values(%x: tensor<4xi1>) {
  // expected-error @below {{partial [sum] is not defined on elements of type 'i1'}}
  %0 = dist.constrain %x {wish = #dist.wish<#mesh, [{}], partial = [sum: "x"]>} : tensor<4xi1>
  return
}

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func private @wrong_number_of_units(
    // expected-error @below {{3 units for an axis of size 4}}
    tensor<12xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [5, 7, 0]}>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func private @units_do_not_divide(
    // expected-error @below {{units do not divide: their sum 24 is not a factor of the flattened local length 12}}
    tensor<12xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [5, 7, 0, 12]}>>)

// -----

#mesh = #dist.mesh<["x" = 4]>
// expected-error @below {{expected}}
func.func private @no_layout_text(tensor<12xf32, #dist.layout<#mesh, "x">>)

// -----

// expected-error @below {{invalid kind of attribute specified}}
func.func private @no_mesh(tensor<12xf32, #dist.layout<["x"]>>)

// -----

#text = "mesh"
// expected-error @below {{invalid kind of attribute specified}}
func.func private @mesh_is_a_string(tensor<12xf32, #dist.layout<#text, [{}]>>)

// -----

// expected-error @below {{unknown attribute `shape` in dialect `dist`}}
func.func private @unknown_attribute() attributes {a = #dist.shape<1>}

// -----

// expected-error @below {{unknown attribute "dist.layout" on argument 0}}
func.func private @unknown_argument_attribute(tensor<4xf32> {dist.layout = 1})

// -----

// expected-error @below {{unknown attribute "dist.layout" on result 0}}
func.func private @unknown_result_attribute() -> (tensor<4xf32> {dist.layout = 1})

// -----

// expected-error @below {{"dist.wish" of argument 0 is no #dist.wish}}
func.func private @wish_of_another_kind(tensor<4xf32> {dist.wish = 1})

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{"dist.wish" of argument 0 does not fit: the layout has rank 2 but the tensor has rank 1}}
func.func private @wish_of_another_rank(
    tensor<4xf32> {dist.wish = #dist.wish<#mesh, [{"x"}, {}]>})

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{"dist.wish" of result 0 does not fit: dim 0: interleaved cut "x" / 3 does not divide}}
func.func private @result_wish_does_not_divide()
    -> (tensor<4xf32> {dist.wish = #dist.wish<#mesh, [{"x" / 3}]>})

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{"dist.wish" of argument 0 does not fit: a wish is for ranked tensors of static shape}}
func.func private @wish_for_a_scalar(i64 {dist.wish = #dist.wish<#mesh, []>})

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{unknown axis "y"; the mesh is ["x" = 2]}}
func.func private @wish_names_an_unknown_axis(tensor<4xf32> {dist.wish = #dist.wish<#mesh, [{"y", ?}]>})

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @below {{axis used twice}}
func.func private @wish_uses_what_it_keeps_unused(tensor<4xf32> {dist.wish = #dist.wish<#mesh, [{"x"}], replicated = ["x"]>})
