// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @abs(
// CHECK: = vs.abs %{{.*}} : tensor<8x4xi32>
func.func @abs(%x: tensor<8x4xi32>) {
  %y = vs.abs %x : tensor<8x4xi32>
  return
}

// CHECK-LABEL: func.func @neg(
// CHECK: = vs.neg %{{.*}} : tensor<8x4xf32>
func.func @neg(%x: tensor<8x4xf32>) {
  %y = vs.neg %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @sign(
// CHECK: = vs.sign %{{.*}} : tensor<8x4xbf16>
func.func @sign(%x: tensor<8x4xbf16>) {
  %y = vs.sign %x : tensor<8x4xbf16>
  return
}

// CHECK-LABEL: func.func @exp(
// CHECK: = vs.exp %{{.*}} : tensor<8x4xf32>
func.func @exp(%x: tensor<8x4xf32>) {
  %y = vs.exp %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @expm1(
// CHECK: = vs.expm1 %{{.*}} : tensor<8x4xf32>
func.func @expm1(%x: tensor<8x4xf32>) {
  %y = vs.expm1 %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @log(
// CHECK: = vs.log %{{.*}} : tensor<8x4xf64>
func.func @log(%x: tensor<8x4xf64>) {
  %y = vs.log %x : tensor<8x4xf64>
  return
}

// CHECK-LABEL: func.func @log1p(
// CHECK: = vs.log1p %{{.*}} : tensor<8x4xf32>
func.func @log1p(%x: tensor<8x4xf32>) {
  %y = vs.log1p %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @sqrt(
// CHECK: = vs.sqrt %{{.*}} : tensor<8x4xf32>
func.func @sqrt(%x: tensor<8x4xf32>) {
  %y = vs.sqrt %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK: = vs.rsqrt %{{.*}} : tensor<8x4xf16>
func.func @rsqrt(%x: tensor<8x4xf16>) {
  %y = vs.rsqrt %x : tensor<8x4xf16>
  return
}

// CHECK-LABEL: func.func @reciprocal(
// CHECK: = vs.reciprocal %{{.*}} : tensor<8x4xf32>
func.func @reciprocal(%x: tensor<8x4xf32>) {
  %y = vs.reciprocal %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @sin(
// CHECK: = vs.sin %{{.*}} : tensor<8x4xf32>
func.func @sin(%x: tensor<8x4xf32>) {
  %y = vs.sin %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @cos(
// CHECK: = vs.cos %{{.*}} : tensor<8x4xf32>
func.func @cos(%x: tensor<8x4xf32>) {
  %y = vs.cos %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @tanh(
// CHECK: = vs.tanh %{{.*}} : tensor<8x4xf32>
func.func @tanh(%x: tensor<8x4xf32>) {
  %y = vs.tanh %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @erf(
// CHECK: = vs.erf %{{.*}} : tensor<8x4xf32>
func.func @erf(%x: tensor<8x4xf32>) {
  %y = vs.erf %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @sigmoid(
// CHECK: = vs.sigmoid %{{.*}} : tensor<8x4xf32>
func.func @sigmoid(%x: tensor<8x4xf32>) {
  %y = vs.sigmoid %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @relu(
// CHECK: = vs.relu %{{.*}} : tensor<8x4xf32>
func.func @relu(%x: tensor<8x4xf32>) {
  %y = vs.relu %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @silu(
// CHECK: = vs.silu %{{.*}} : tensor<8x4xf32>
func.func @silu(%x: tensor<8x4xf32>) {
  %y = vs.silu %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @gelu(
// CHECK: = vs.gelu %{{.*}} : tensor<8x4xf32>
func.func @gelu(%x: tensor<8x4xf32>) {
  %y = vs.gelu %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @floor(
// CHECK: = vs.floor %{{.*}} : tensor<8x4xf32>
func.func @floor(%x: tensor<8x4xf32>) {
  %y = vs.floor %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @ceil(
// CHECK: = vs.ceil %{{.*}} : tensor<8x4xf32>
func.func @ceil(%x: tensor<8x4xf32>) {
  %y = vs.ceil %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @round(
// CHECK: = vs.round %{{.*}} : tensor<8x4xf32>
func.func @round(%x: tensor<8x4xf32>) {
  %y = vs.round %x : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @not(
// CHECK: = vs.not %{{.*}} : tensor<8x4xi1>
func.func @not(%x: tensor<8x4xi1>) {
  %y = vs.not %x : tensor<8x4xi1>
  return
}

// CHECK-LABEL: func.func @not_2(
// CHECK: = vs.not %{{.*}} : tensor<8x4xui8>
func.func @not_2(%x: tensor<8x4xui8>) {
  %y = vs.not %x : tensor<8x4xui8>
  return
}

// CHECK-LABEL: func.func @add(
// CHECK: = vs.add %{{.*}}, %{{.*}} : tensor<8x4xf32>
func.func @add(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %c = vs.add %a, %b : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @sub(
// CHECK: = vs.sub %{{.*}}, %{{.*}} : tensor<8x4xi64>
func.func @sub(%a: tensor<8x4xi64>, %b: tensor<8x4xi64>) {
  %c = vs.sub %a, %b : tensor<8x4xi64>
  return
}

// CHECK-LABEL: func.func @mul(
// CHECK: = vs.mul %{{.*}}, %{{.*}} : tensor<8x4xf32>
func.func @mul(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %c = vs.mul %a, %b : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @div(
// CHECK: = vs.div %{{.*}}, %{{.*}} : tensor<8x4xi32>
func.func @div(%a: tensor<8x4xi32>, %b: tensor<8x4xi32>) {
  %c = vs.div %a, %b : tensor<8x4xi32>
  return
}

// CHECK-LABEL: func.func @remainder(
// CHECK: = vs.remainder %{{.*}}, %{{.*}} : tensor<8x4xi32>
func.func @remainder(%a: tensor<8x4xi32>, %b: tensor<8x4xi32>) {
  %c = vs.remainder %a, %b : tensor<8x4xi32>
  return
}

// CHECK-LABEL: func.func @pow(
// CHECK: = vs.pow %{{.*}}, %{{.*}} : tensor<8x4xf32>
func.func @pow(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %c = vs.pow %a, %b : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @maximum(
// CHECK: = vs.maximum %{{.*}}, %{{.*}} : tensor<8x4xf32>
func.func @maximum(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %c = vs.maximum %a, %b : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @minimum(
// CHECK: = vs.minimum %{{.*}}, %{{.*}} : tensor<0x4xf32>
func.func @minimum(%a: tensor<0x4xf32>, %b: tensor<0x4xf32>) {
  %c = vs.minimum %a, %b : tensor<0x4xf32>
  return
}

// CHECK-LABEL: func.func @and(
// CHECK: = vs.and %{{.*}}, %{{.*}} : tensor<8x4xi1>
func.func @and(%a: tensor<8x4xi1>, %b: tensor<8x4xi1>) {
  %c = vs.and %a, %b : tensor<8x4xi1>
  return
}

// CHECK-LABEL: func.func @or(
// CHECK: = vs.or %{{.*}}, %{{.*}} : tensor<8x4xi8>
func.func @or(%a: tensor<8x4xi8>, %b: tensor<8x4xi8>) {
  %c = vs.or %a, %b : tensor<8x4xi8>
  return
}

// CHECK-LABEL: func.func @xor(
// CHECK: = vs.xor %{{.*}}, %{{.*}} : tensor<8x4xi1>
func.func @xor(%a: tensor<8x4xi1>, %b: tensor<8x4xi1>) {
  %c = vs.xor %a, %b : tensor<8x4xi1>
  return
}

// CHECK-LABEL: func.func @gelu_2(
// CHECK: = vs.gelu %{{.*}} {approximate} : tensor<8x4xf32>
func.func @gelu_2(%x: tensor<8x4xf32>) {
  %y = vs.gelu %x {approximate} : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @is_finite(
// CHECK: = vs.is_finite %{{.*}} : tensor<8x4xf32> -> tensor<8x4xi1>
func.func @is_finite(%x: tensor<8x4xf32>) {
  %ok = vs.is_finite %x : tensor<8x4xf32> -> tensor<8x4xi1>
  return
}

// CHECK-LABEL: func.func @cast(
// CHECK: = vs.cast %{{.*}} : tensor<8x4xf32> -> tensor<8x4xbf16>
func.func @cast(%x: tensor<8x4xf32>) {
  %y = vs.cast %x : tensor<8x4xf32> -> tensor<8x4xbf16>
  return
}

// CHECK-LABEL: func.func @compare(
// CHECK: = vs.compare lt %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
func.func @compare(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  %below = vs.compare lt %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @select(
// CHECK: = vs.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
func.func @select(%p: tensor<8xi1>, %a: tensor<8xf32>, %b: tensor<8xf32>) {
  %y = vs.select %p, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @clamp(
// CHECK: = vs.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x4xf32>
func.func @clamp(%x: tensor<8x4xf32>, %low: tensor<8x4xf32>, %high: tensor<8x4xf32>) {
  %y = vs.clamp %x, %low, %high : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @compare_2(
// CHECK: = vs.compare eq %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
func.func @compare_2(%a: tensor<8xi32>, %b: tensor<8xi32>) {
  %y = vs.compare eq %a, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @compare_3(
// CHECK: = vs.compare ne %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
func.func @compare_3(%a: tensor<8xi32>, %b: tensor<8xi32>) {
  %y = vs.compare ne %a, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @compare_4(
// CHECK: = vs.compare le %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
func.func @compare_4(%a: tensor<8xi32>, %b: tensor<8xi32>) {
  %y = vs.compare le %a, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @compare_5(
// CHECK: = vs.compare gt %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
func.func @compare_5(%a: tensor<8xi32>, %b: tensor<8xi32>) {
  %y = vs.compare gt %a, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @compare_6(
// CHECK: = vs.compare ge %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
func.func @compare_6(%a: tensor<8xi32>, %b: tensor<8xi32>) {
  %y = vs.compare ge %a, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @add_2(
// CHECK: = vs.add %{{.*}}, %{{.*}} : (tensor<8xf32, "partial">, tensor<8xf32>) -> tensor<8xf32, "partial">
func.func @add_2(%a: tensor<8xf32, "partial">, %b: tensor<8xf32>) {
  %y = vs.add %a, %b : (tensor<8xf32, "partial">, tensor<8xf32>) -> tensor<8xf32, "partial">
  return
}
