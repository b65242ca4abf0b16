// RUN: vescale-opt %s -split-input-file -verify-diagnostics

func.func @no_layout_for_an_operand(%x: tensor<8xf32>) {
  // expected-error @below {{has 0 in_layouts for 1 operands}}
  dist.manual(%x) {axes = ["x"], in_layouts = [], out_layouts = []} : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<8xf32>):
    dist.return
  }
  return
}

// -----

func.func @no_layout_for_a_result(%x: tensor<8xf32>) {
  // expected-error @below {{has 0 out_layouts for 1 results}}
  %y = dist.manual() {axes = ["x"], in_layouts = [], out_layouts = []} : () -> tensor<8xf32> {
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @layout_of_another_rank(%x: tensor<8xf32>) {
  // expected-error @below {{layout of operand 0: the layout has rank 2 but the tensor has rank 1}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"}, {}]>], out_layouts = []}
      : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<4xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#other = #dist.mesh<["x" = 4]>
func.func @two_meshes(%x: tensor<8xf32>) {
  // expected-error @below {{has layouts on two meshes: ["x" = 2] and ["x" = 4]}}
  dist.manual(%x, %x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"}]>,
                                                   #dist.layout<#other, [{"x"}]>], out_layouts = []}
      : (tensor<8xf32>, tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>, %b: tensor<2xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @unknown_axis(%x: tensor<8xf32>) {
  // expected-error @below {{mesh ["x" = 2] has no axis "y"}}
  dist.manual(%x) {axes = ["y"], in_layouts = [#dist.layout<#mesh, [{}]>], out_layouts = []}
      : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<8xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2, "y" = 2]>
func.func @layout_uses_another_axis(%x: tensor<8xf32>) {
  // expected-error @below {{layout [{"y"}] uses "y", which is not one of `axes`}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"y"}]>], out_layouts = []}
      : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<4xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func @layout_uses_part_of_an_axis(%x: tensor<8xf32>) {
  // expected-error @below {{uses "x":(1)2, which is not one of `axes`}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x":(1)2}]>], out_layouts = []}
      : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<4xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 4]>
func.func @uneven_parts(%x: tensor<9xf32>) {
  // expected-error @below {{layout of operand 0 cuts dim 0 of size 9 unevenly, so devices hold parts of different shapes}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"}]>], out_layouts = []}
      : (tensor<9xf32>) -> () {
  ^bb0(%local: tensor<3xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @ragged_parts(%x: tensor<8xf32>) {
  // expected-error @below {{layout of operand 0 is ragged, so devices hold parts of different shapes}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [1, 3]}>],
                   out_layouts = []} : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<2xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @argument_of_another_shape(%x: tensor<8xf32>) {
  // expected-error @below {{body's argument value 0 has type 'tensor<8xf32>', the part of operand 0 is 'tensor<4xf32>'}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"}]>], out_layouts = []}
      : (tensor<8xf32>) -> () {
  ^bb0(%local: tensor<8xf32>):
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @missing_argument(%x: tensor<8xf32>) {
  // expected-error @below {{body has 0 argument values for 1 operands}}
  dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"}]>], out_layouts = []}
      : (tensor<8xf32>) -> () {
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @missing_result() {
  // expected-error @below {{body has 0 returned values for 1 results}}
  %y = dist.manual() {axes = ["x"], in_layouts = [], out_layouts = [#dist.layout<#mesh, [{"x"}]>]}
      : () -> tensor<8xf32> {
    dist.return
  }
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
func.func @result_of_another_shape(%x: tensor<8xf32>) {
  // expected-error @below {{body's returned value 0 has type 'tensor<4xf32>', the part of result 0 is 'tensor<8xf32>'}}
  %y = dist.manual(%x) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"}]>],
                        out_layouts = [#dist.layout<#mesh, [{}], partial = [sum: "x"]>]}
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%local: tensor<4xf32>):
    dist.return %local : tensor<4xf32>
  }
  return
}

// -----

func.func @return_outside_of_manual() {
  // expected-error @below {{expects parent op 'dist.manual'}}
  dist.return
}
