// RUN: vescale-opt %s -cse | FileCheck %s

// CHECK-LABEL: func.func @draws_without_an_id_are_two_draws
func.func @draws_without_an_id_are_two_draws(%rng: !vs.rng, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-COUNT-2: vs.random
  // CHECK-COUNT-2: vs.dropout
  %a = vs.random %rng {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<8xf32>
  %b = vs.random %rng {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<8xf32>
  %c = vs.dropout %x, %rng {rate = 0.5} : (tensor<8xf32>, !vs.rng) -> tensor<8xf32>
  %d = vs.dropout %x, %rng {rate = 0.5} : (tensor<8xf32>, !vs.rng) -> tensor<8xf32>
  return %a, %b, %c, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @draws_with_one_id_are_one
func.func @draws_with_one_id_are_one(%rng: !vs.rng) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[A:.*]] = vs.random {{.*}} draw_id = 1
  // CHECK: %[[C:.*]] = vs.random {{.*}} draw_id = 2
  // CHECK-NOT: vs.random
  // CHECK: return %[[A]], %[[A]], %[[C]]
  %a = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = 1} : !vs.rng -> tensor<8xf32>
  %b = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = 1} : !vs.rng -> tensor<8xf32>
  %c = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = 2} : !vs.rng -> tensor<8xf32>
  return %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @an_unused_draw_goes_away
func.func @an_unused_draw_goes_away(%rng: !vs.rng) {
  // CHECK-NEXT: return
  %a = vs.random %rng {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<8xf32>
  return
}
