// RUN: vescale-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{argument #0: 'vs.role' must be "parameter", "state", "batch", "rng" or "scalar", is "weights"}}
func.func @role_is_known(%x: tensor<8xf32> {vs.role = "weights"}) {
  return
}

// -----

// expected-error @+1 {{argument #1: 'vs.role' is "batch", but the type is '!vs.rng'}}
func.func @generators_have_the_role_rng(%x: tensor<8xf32> {vs.role = "batch"}, %r: !vs.rng {vs.role = "batch"}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.role' is "rng", but the type is 'tensor<8xf32>'}}
func.func @only_generators_have_the_role_rng(%x: tensor<8xf32> {vs.role = "rng"}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.role' is "scalar", but the type is 'tensor<8xf32>'}}
func.func @scalars_are_scalars(%x: tensor<8xf32> {vs.role = "scalar"}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.name' must be a string that is not empty, is ""}}
func.func @a_name_is_not_empty(%x: tensor<8xf32> {vs.name = ""}) {
  return
}

// -----

// expected-error @+1 {{argument #2: 'vs.name' is "fc.weight", which is the name of argument #0 too}}
func.func @names_are_unique(%x: tensor<8xf32> {vs.name = "fc.weight"}, %y: tensor<8xf32> {vs.name = "fc.bias"},
                            %z: tensor<8xf32> {vs.name = "fc.weight"}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.init' is for arguments with vs.role = "parameter"; this one has vs.role = "batch"}}
func.func @only_parameters_have_an_init(%x: tensor<8xf32> {vs.role = "batch", vs.init = #vs.zeros}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.init' is for arguments with vs.role = "parameter"; this one has no role}}
func.func @an_init_needs_a_role(%x: tensor<8xf32> {vs.init = #vs.zeros}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.init' must be #vs.normal, #vs.uniform, #vs.zeros, #vs.ones or #vs.from_file, is "zeros"}}
func.func @an_init_is_one_of_five(%x: tensor<8xf32> {vs.role = "parameter", vs.init = "zeros"}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.decay' is for arguments with vs.role = "parameter"; this one has vs.role = "state"}}
func.func @only_parameters_decay(%x: tensor<8xf32> {vs.role = "state", vs.decay = true}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.decay' must be true or false, is 1.000000e-01 : f64}}
func.func @decay_is_a_switch(%x: tensor<8xf32> {vs.role = "parameter", vs.decay = 0.1}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.rol' is unknown; arguments have vs.role, vs.name, vs.init, vs.decay, vs.token_offset, vs.vocabulary and vs.micro_batches}}
func.func @a_misspelt_attribute_is_an_error(%x: tensor<8xf32> {vs.rol = "parameter"}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.vocabulary' must be a positive integer, is 0}}
func.func @loss(%tokens: tensor<2x4xi32> {vs.role = "batch", vs.name = "tokens", vs.vocabulary = 0 : i64}) {
  return
}

// -----

// expected-error @+1 {{argument #0: 'vs.micro_batches' must be the size of the first dim, is 3 : i64 for 'tensor<4x2xf32>'}}
func.func @micro_batches(%x: tensor<4x2xf32> {vs.role = "batch", vs.name = "x", vs.micro_batches = 3 : i64}) {
  return
}
