// RUN: vescale-opt --dist-verify-placement --split-input-file --verify-diagnostics %s

#mesh = #dist.mesh<["x" = 2]>
#x_ = #dist.layout<#mesh, [{"x"}, {}]>
#_x = #dist.layout<#mesh, [{}, {"x"}]>
#all = #dist.layout<#mesh, [{}, {}]>

func.func @accepted(%x: tensor<8x4xf32, #x_>) -> tensor<8x4xf32, #x_> {
  %0 = vs.neg %x : tensor<8x4xf32, #x_>
  return %0 : tensor<8x4xf32, #x_>
}

// expected-error@+1 {{argument 0 has no layout}}
func.func @argument_without_layout(%x: tensor<8x4xf32>) {
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#x_ = #dist.layout<#mesh, [{"x"}, {}]>
#_x = #dist.layout<#mesh, [{}, {"x"}]>

func.func @rule_not_met(%x: tensor<8x4xf32, #x_>) -> tensor<8x4xf32, #_x> {
  // expected-error@+1 {{cannot be computed from local data: factor 0 of size 8 is cut by {"x"} in operand 0 and by {} in result 0}}
  %0 = vs.neg %x : (tensor<8x4xf32, #x_>) -> tensor<8x4xf32, #_x>
  return %0 : tensor<8x4xf32, #_x>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#all = #dist.layout<#mesh, [{}]>
#sum = #dist.layout<#mesh, [{}], partial = [sum: "x"]>

func.func @partial_through_a_non_linear_op(%x: tensor<8xf32, #sum>) -> tensor<8xf32, #sum> {
  // expected-error@+1 {{operand 0 is partial [sum: "x"], through which the op does not pass}}
  %0 = vs.tanh %x : tensor<8xf32, #sum>
  return %0 : tensor<8xf32, #sum>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#all = #dist.layout<#mesh, [{}]>

func.func @hint_left(%x: tensor<8xf32, #all>) -> tensor<8xf32, #all> {
  // expected-error@+1 {{speaks to propagation and should be gone}}
  %0 = dist.constrain %x {wish = #dist.wish<#mesh, [{"x"}]>} : tensor<8xf32, #all>
  return %0 : tensor<8xf32, #all>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#all = #dist.layout<#mesh, [{}]>

func.func @nothing_changes(%x: tensor<8xf32, #all>) -> tensor<8xf32, #all> {
  // expected-error@+1 {{changes no layout}}
  %0 = dist.redistribute %x : tensor<8xf32, #all> -> tensor<8xf32, #all>
  return %0 : tensor<8xf32, #all>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#all = #dist.layout<#mesh, [{}]>
#x = #dist.layout<#mesh, [{"x"}]>

// expected-error@+1 {{result 0 takes the place of argument 0 but has another type}}
func.func @alias_of_another_type(%x: tensor<8xf32, #x>)
    -> (tensor<8xf32, #all> {vs.aliases = 0 : i64}) {
  %0 = dist.redistribute %x : tensor<8xf32, #x> -> tensor<8xf32, #all>
  return %0 : tensor<8xf32, #all>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
#all = #dist.layout<#mesh, [{}]>

// expected-error@+1 {{argument 0 still has a wish}}
func.func @wish_left(%x: tensor<8xf32, #all> {dist.wish = #dist.wish<#mesh, [{?}]>}) {
  return
}
