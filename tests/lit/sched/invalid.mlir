// RUN: vescale-opt %s --split-input-file --verify-diagnostics

#mesh = #dist.mesh<["x" = 2]>
// expected-error @+1 {{the runs of axis 0 cover 1 of 2 coordinates}}
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @+1 {{the class map has 0 lists of lengths and 1 of kinds, the mesh 1 axes}}
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @+1 {{axis 0 has 1 lengths and 2 kinds}}
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 2>], axis_kinds = [array<i64: 0, 1>], classes = array<i64: 0>} {
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @+1 {{the class map has 1 entries, the kinds make 2}}
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1, 1>], axis_kinds = [array<i64: 0, 1>], classes = array<i64: 0>} {
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 2]>
// expected-error @+1 {{the class map names class 1, there are programs of 1}}
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 2>], axis_kinds = [array<i64: 0>], classes = array<i64: 1>} {
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 1]>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // expected-error @+1 {{is of class 3, must be of class 0}}
  sched.program @step.class0 of "step" class 3 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!w = tensor<16xf32, #dist.layout<#mesh, [{}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1, 1>], axis_kinds = [array<i64: 0, 1>], classes = array<i64: 0, 1>} {
  sched.program @step.class0 of "step" class 0 arena 128 streams ["c"] events 0 {
    %a = sched.buffer 32 at 0
    %b = sched.buffer 64 at 64
    sched.collective all_gather 0 stream 0 (read %a, write %b) : !t to !w
  }
  // expected-error @+1 {{issues other collectives than class 0, from number 0 on}}
  sched.program @step.class1 of "step" class 1 arena 128 streams ["c"] events 0 {
    %a = sched.buffer 32 at 0
    %b = sched.buffer 64 at 64
    sched.collective all_gather 1 stream 0 (read %a, write %b) : !t to !w
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // expected-error @+1 {{is a parameter and has no initializer}}
  sched.tensor @p parameter "p" : !t
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // expected-error @+1 {{is a batch and has an initializer, but no step keeps it}}
  sched.tensor @b batch "b" : !t {initializer = #vs.zeros}
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // expected-error @+1 {{has no name}}
  sched.tensor @n batch "" : !t
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // expected-error @+1 {{needs a tensor type with a layout, has 'tensor<4xf32>'}}
  sched.tensor @l batch "l" : tensor<4xf32>
  sched.program @step.class0 of "step" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // expected-error @+1 {{has no stream}}
  sched.program @step.class0 of "step" class 0 arena 0 streams [] events 0 {}
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{starts at byte 4, which is not a multiple of 64}}
    %0 = sched.buffer 64 at 4
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{of bytes [192, 192 + 128) does not lie in the arena of 256 bytes}}
    %1 = sched.buffer 128 at 192
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{there is no sched.tensor @c}}
    %2 = sched.buffer 64 at 0 of @c
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{of kind region_start needs a tensor type}}
    %s0 = sched.scalar region_start
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{of kind step has a tensor type}}
    %s1 = sched.scalar step {tensor_type = !t}
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{of dim 1, there are 1}}
    %s2 = sched.scalar region_start {tensor_type = !t, dim = 1 : i64}
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{of dim 2, there are 1}}
    %s3 = sched.scalar axis_index {dim = 2 : i64}
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{is on stream 1, the program has 1}}
    sched.copy stream 1 (read %a, write %b)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{operand 1 must be written}}
    sched.copy stream 0 (read %a, read %b)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{has 1 operands, needs 2}}
    sched.copy stream 0 (read %a)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{operand 0, bytes [32, 32 + 64), does not lie in its buffer of 64 bytes}}
    sched.copy stream 0 (read %a[32, 64], write %b)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{says of 1 operands how they are accessed, but has 2}}
    "sched.copy"(%a, %b) {stream = 0 : i64, access = array<i32: 1>} : (!sched.buffer, !sched.buffer) -> ()
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{operand 1 has the access 4}}
    "sched.copy"(%a, %b) {stream = 0 : i64, access = array<i32: 1, 4>} : (!sched.buffer, !sched.buffer) -> ()
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{has an extent of 4 in grains of 0}}
    sched.launch @k stream 0 extent 4 grain 0 (read %a)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{operand 2 must be updated}}
    sched.matmul stream 0 m 1 n 1 k 1 f32 to f32 (read %a, read %a, write %b) {batch = array<i64>, a_strides = array<i64>, a_leading = 1 : i64, b_strides = array<i64>, b_leading = 1 : i64, c_strides = array<i64>, c_leading = 1 : i64, beta = 1.0 : f64}
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{matrix b has 0 strides for 1 batch sizes}}
    sched.matmul stream 0 m 1 n 1 k 1 f32 to f32 (read %a, read %a, write %b) {batch = array<i64: 2>, a_strides = array<i64: 1>, a_leading = 1 : i64, b_strides = array<i64>, b_leading = 1 : i64, c_strides = array<i64: 1>, c_leading = 1 : i64}
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{id is negative: -1}}
    sched.collective all_gather -1 stream 0 (read %a, write %b) : !t to !t
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{types differ in more than their layouts}}
    sched.collective all_gather 0 stream 0 (read %a, write %b) : !t to !u
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{needs two tensor types with layouts}}
    sched.collective all_gather 0 stream 0 (read %a, write %b) : !t to f32
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{there is no sched.tensor @missing}}
    sched.host_input @missing stream 0 (write %a)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{operand 0 must be read}}
    sched.host_output @b stream 0 (write %a)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    // expected-error @+1 {{operand 0 must be written}}
    sched.scalar_update step_index stream 0 i64 (read %a)
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{there is no event 1, the program has 1}}
    sched.record 1 stream 0
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{is on stream 3, the program has 1}}
    sched.wait 0 stream 3
  }
}

// -----

#mesh = #dist.mesh<["x" = 1]>
!t = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!u = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.tensor @b batch "b" : !t
  sched.program @step.class0 of "step" class 0 arena 256 streams ["c"] events 1 {
    // expected-error @+1 {{runs 0 times, must run at least once}}
    sched.loop 0 {}
  }
}

// -----

#mesh = #dist.mesh<["dp" = 2]>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1, 1>], axis_kinds = [array<i64: 0, 1>], classes = array<i64: 0, 1>} {
  sched.program @a.class0 of "a" class 0 arena 0 streams ["c"] events 0 {}
  // expected-error @+1 {{is of function "b", must be of "a", which has no program of this class yet}}
  sched.program @b.class1 of "b" class 1 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["dp" = 2]>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 1, 1>], axis_kinds = [array<i64: 0, 1>], classes = array<i64: 0, 1>} {
  sched.program @a.class0 of "a" class 0 arena 0 streams ["c"] events 0 {}
  sched.program @a.class1 of "a" class 1 arena 0 streams ["c"] events 0 {}
  // expected-error @+1 {{is of the last class of function "b", others have 2 classes}}
  sched.program @b.class0 of "b" class 0 arena 0 streams ["c"] events 0 {}
}

// -----

#mesh = #dist.mesh<["dp" = 2]>
sched.schedule @s on #mesh target "cpu" attributes {axis_lengths = [array<i64: 2>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  sched.program @a.class0 of "a" class 0 arena 0 streams ["c"] events 0 {}
  // expected-error @+1 {{function "a" has two programs of class 0}}
  sched.program @b.class0 of "a" class 0 arena 0 streams ["c"] events 0 {}
}
