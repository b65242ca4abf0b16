// RUN: vescale-opt %s -split-input-file -verify-diagnostics

#mesh = #dist.mesh<["x" = 2]>
func.func @constrain_changes_the_type(%x: tensor<8xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %y = "dist.constrain"(%x) {wish = #dist.wish<#mesh, [{"x"}]>}
      : (tensor<8xf32>) -> tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @wish_of_another_rank(%x: tensor<8xf32>) {
  // expected-error @below {{wish does not fit: the layout has rank 2 but the tensor has rank 1}}
  %y = dist.constrain %x {wish = #dist.wish<#mesh, [{"x"}, {?}]>} : tensor<8xf32>
  return
}

// -----

func.func @barrier_changes_the_type(%x: tensor<8xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %y = "dist.barrier"(%x) {direction = #dist<direction both>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @barrier_changes_the_layout(%x: tensor<8xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %y = "dist.barrier"(%x) {direction = #dist<direction both>}
      : (tensor<8xf32>) -> tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

func.func @group_changes_the_type(%x: tensor<8xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %y = "dist.group"(%x) {id = 0} : (tensor<8xf32>) -> tensor<8xf64>
  return
}

// -----

func.func @group_id_is_negative(%x: tensor<8xf32>) {
  // expected-error @below {{id is negative: -2}}
  %y = dist.group %x {id = -2} : tensor<8xf32>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @redistribute_changes_the_element_type(%x: tensor<8xf32, #dist.layout<#mesh, [{}]>>) {
  // expected-error @below {{keeps shape and element type: 'tensor<8xf32>' before, 'tensor<8xf64>' after}}
  %y = dist.redistribute %x : tensor<8xf32, #dist.layout<#mesh, [{}]>>
                           -> tensor<8xf64, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @redistribute_without_layout(%x: tensor<8xf32>) {
  // expected-error @below {{needs a layout before it}}
  %y = dist.redistribute %x : tensor<8xf32> -> tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
  return
}

// -----

func.func @start_nothing() {
  // expected-error @below {{has 0 operands and 0 results; it needs one result for each operand, and at least one}}
  "dist.start"() {kind = "all_gather"} : () -> ()
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @start_without_a_result(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{has 1 operands and 0 results}}
  "dist.start"(%x) {kind = "all_gather"} : (tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) -> ()
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @start_an_unknown_kind(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{kind "broadcast" is no step}}
  %f = dist.start "broadcast" %x : (tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>)
      -> !dist.future<tensor<8xf32, #dist.layout<#mesh, [{}]>>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @start_a_local_step(%x: tensor<8xf32, #dist.layout<#mesh, [{}]>>) {
  // expected-error @below {{kind "slice" sends nothing, so it cannot be started}}
  %f = dist.start "slice" %x : (tensor<8xf32, #dist.layout<#mesh, [{}]>>)
      -> !dist.future<tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @start_an_illegal_step(%x: tensor<8xf32, #dist.layout<#mesh, [{}]>>) {
  // expected-error @below {{'dist.start' op is no legal step: all_gather: the cuts {"x"} of dim 0 after it are not the major ones of {} before it}}
  %f = dist.start "all_gather" %x : (tensor<8xf32, #dist.layout<#mesh, [{}]>>)
      -> !dist.future<tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @start_along_different_axes(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>,
                                      %y: tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>) {
  // expected-error @below {{moves all tensors along the same axes: operand 1 moves along others than operand 0}}
  %f:2 = dist.start "all_gather" %x, %y
      : (tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>, tensor<8xf32, #dist.layout<#mesh, [{"y"}]>>)
     -> (!dist.future<tensor<8xf32, #dist.layout<#mesh, [{}]>>>,
         !dist.future<tensor<8xf32, #dist.layout<#mesh, [{}]>>>)
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @start_two_element_types(%x: tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>,
                                   %y: tensor<8xbf16, #dist.layout<#mesh, [{"x"}]>>) {
  // expected-error @below {{moves tensors of one element type: operand 0 has 'f32', operand 1 has 'bf16'}}
  %f:2 = dist.start "all_gather" %x, %y
      : (tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>, tensor<8xbf16, #dist.layout<#mesh, [{"x"}]>>)
     -> (!dist.future<tensor<8xf32, #dist.layout<#mesh, [{}]>>>,
         !dist.future<tensor<8xbf16, #dist.layout<#mesh, [{}]>>>)
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @wait_for_another_type(%f: !dist.future<tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>>) {
  // expected-error @below {{failed to verify that the result is what the future holds}}
  %x = "dist.wait"(%f) : (!dist.future<tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>>)
      -> tensor<8xf32, #dist.layout<#mesh, [{}]>>
  return
}

// -----

func.func @send_to_a_negative_stage(%x: tensor<8xf32>) {
  // expected-error @below {{peer is negative: -1}}
  dist.send %x {peer = -1} : tensor<8xf32>
  return
}

// -----

func.func @send_with_a_negative_id(%x: tensor<8xf32>) {
  // expected-error @below {{id is negative: -1}}
  dist.send %x {peer = 0, id = -1} : tensor<8xf32>
  return
}

// -----

func.func @receive_from_a_negative_stage() {
  // expected-error @below {{peer is negative: -1}}
  %x = dist.recv {peer = -1} : tensor<8xf32>
  return
}

// -----

func.func @receive_with_a_negative_id() {
  // expected-error @below {{id is negative: -1}}
  %x = dist.recv {peer = 0, id = -1} : tensor<8xf32>
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @index_of_an_unknown_axis() {
  // expected-error @below {{mesh ["x" = 2] has no axis "y"}}
  %i = dist.axis_index {mesh = #mesh, axis = "y"} : index
  return
}
