// One function for each op of vs, and for each variant of it whose rule is another. Sizes are
// such that every kind of cut exists where a factor may be cut: 8 is halved, is cut unevenly by 3, into
// empty pieces by 9, interleaved in 2 parts and in blocks of 3.

func.func @constant_splat() -> tensor<8x8xf32> {
  %r = vs.constant dense<2.0> : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @constant_values() -> tensor<8x8xf32> {
  %r = vs.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0], [24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0], [32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0], [40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0], [48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0], [56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0]]> : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @iota() -> tensor<8x8xi64> {
  %r = vs.iota {dim = 1} : tensor<8x8xi64>
  return %r : tensor<8x8xi64>
}

func.func @iota_float() -> tensor<8x8xf32> {
  %r = vs.iota {dim = 0} : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @random_normal(%a0: !vs.rng) -> tensor<8x8xf32> {
  %r = vs.random %a0 {distribution = #vs.normal<1.0>, draw_id = 3} : (!vs.rng) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @random_uniform(%a0: !vs.rng) -> tensor<8x1x8xf32> {
  %r = vs.random %a0 {distribution = #vs.uniform<-1.0, 1.0>, draw_id = 5} : (!vs.rng) -> tensor<8x1x8xf32>
  return %r : tensor<8x1x8xf32>
}

func.func @random_at(%a0: !vs.rng, %a1: tensor<8x8xi64>) -> tensor<8x8xf32> {
  %r = vs.random_at %a0, %a1 {distribution = #vs.uniform<0.0, 1.0>, draw_id = 3} : (!vs.rng, tensor<8x8xi64>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @from_index(%a0: index) -> tensor<i64> {
  %r = vs.from_index %a0 : (index) -> tensor<i64>
  return %r : tensor<i64>
}

func.func @abs(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.abs %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @neg(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.neg %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sign(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.sign %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @exp(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.exp %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @expm1(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.expm1 %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @log(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.log %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @log1p(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.log1p %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sqrt(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.sqrt %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @rsqrt(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.rsqrt %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @reciprocal(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.reciprocal %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sin(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.sin %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @cos(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.cos %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @tanh(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.tanh %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @erf(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.erf %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sigmoid(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.sigmoid %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @relu(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.relu %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @silu(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.silu %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @gelu(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.gelu %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @floor(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.floor %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @ceil(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.ceil %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @round(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.round %a0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @not(%a0: tensor<8x8xi1>) -> tensor<8x8xi1> {
  %r = vs.not %a0 : (tensor<8x8xi1>) -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

func.func @is_finite(%a0: tensor<8x8xf32>) -> tensor<8x8xi1> {
  %r = vs.is_finite %a0 : (tensor<8x8xf32>) -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

func.func @cast_wider(%a0: tensor<8x8xf32>) -> tensor<8x8xf64> {
  %r = vs.cast %a0 : (tensor<8x8xf32>) -> tensor<8x8xf64>
  return %r : tensor<8x8xf64>
}

func.func @cast_narrower(%a0: tensor<8x8xf32>) -> tensor<8x8xbf16> {
  %r = vs.cast %a0 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  return %r : tensor<8x8xbf16>
}

func.func @cast_to_integer(%a0: tensor<8x8xf32>) -> tensor<8x8xi32> {
  %r = vs.cast %a0 : (tensor<8x8xf32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}

func.func @add(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.add %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sub(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.sub %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @mul(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.mul %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @div(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.div %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @remainder(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.remainder %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @pow(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.pow %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @maximum(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.maximum %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @minimum(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.minimum %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @div_integer(%a0: tensor<8x8xi32>, %a1: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %r = vs.div %a0, %a1 : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}

func.func @and(%a0: tensor<8x8xi1>, %a1: tensor<8x8xi1>) -> tensor<8x8xi1> {
  %r = vs.and %a0, %a1 : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

func.func @or(%a0: tensor<8x8xi1>, %a1: tensor<8x8xi1>) -> tensor<8x8xi1> {
  %r = vs.or %a0, %a1 : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

func.func @xor(%a0: tensor<8x8xi1>, %a1: tensor<8x8xi1>) -> tensor<8x8xi1> {
  %r = vs.xor %a0, %a1 : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

func.func @compare(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xi1> {
  %r = vs.compare lt %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

func.func @select(%a0: tensor<8x8xi1>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.select %a0, %a1, %a2 : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @clamp(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.clamp %a0, %a1, %a2 : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @einsum_linear(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.einsum "bd,fd->bf" %a0, %a1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @einsum_batched(%a0: tensor<8x8x8xf32>, %a1: tensor<8x8x8xf32>) -> tensor<8x8x8xf32> {
  %r = vs.einsum "bsd,btd->bst" %a0, %a1 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  return %r : tensor<8x8x8xf32>
}

func.func @einsum_outer(%a0: tensor<8xf32>, %a1: tensor<8xf32>) -> tensor<8x8xf32> {
  %r = vs.einsum "a,b->ab" %a0, %a1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @reduce_sum(%a0: tensor<8x8xf32>) -> tensor<8xf32> {
  %r = vs.reduce sum %a0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @reduce_mean(%a0: tensor<8x8xf32>) -> tensor<8xf32> {
  %r = vs.reduce mean %a0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @reduce_max(%a0: tensor<8x8xf32>) -> tensor<8xf32> {
  %r = vs.reduce max %a0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @reduce_min(%a0: tensor<8x8xf32>) -> tensor<8xf32> {
  %r = vs.reduce min %a0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @reduce_prod(%a0: tensor<8x8xf32>) -> tensor<8xf32> {
  %r = vs.reduce prod %a0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @reduce_and(%a0: tensor<8x8xi1>) -> tensor<8xi1> {
  %r = vs.reduce and %a0 dims = [1] : tensor<8x8xi1> -> tensor<8xi1>
  return %r : tensor<8xi1>
}

func.func @reduce_or(%a0: tensor<8x8xi1>) -> tensor<8xi1> {
  %r = vs.reduce or %a0 dims = [1] : tensor<8x8xi1> -> tensor<8xi1>
  return %r : tensor<8xi1>
}

func.func @reduce_mean_of_all(%a0: tensor<8x8xf32>) -> tensor<f32> {
  %r = vs.reduce mean %a0 dims = [0, 1] : tensor<8x8xf32> -> tensor<f32>
  return %r : tensor<f32>
}

func.func @arg_max(%a0: tensor<8x8xf32>) -> tensor<8xi32> {
  %r = vs.arg_max %a0 {dim = 1} : (tensor<8x8xf32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @cumulative_sum(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.cumulative_sum %a0 {dim = 0, exclusive} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sort(%a0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xi32>) {
  %r:2 = vs.sort %a0 {dim = 1, descending} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xi32>)
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xi32>
}

func.func @top_k(%a0: tensor<8x8xf32>) -> (tensor<8x3xf32>, tensor<8x3xi32>) {
  %r:2 = vs.top_k %a0 {k = 3} : (tensor<8x8xf32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
  return %r#0, %r#1 : tensor<8x3xf32>, tensor<8x3xi32>
}

func.func @reshape_split(%a0: tensor<64x8xf32>) -> tensor<8x8x8xf32> {
  %r = vs.reshape %a0 : (tensor<64x8xf32>) -> tensor<8x8x8xf32>
  return %r : tensor<8x8x8xf32>
}

func.func @reshape_merge(%a0: tensor<8x8x8xf32>) -> tensor<8x64xf32> {
  %r = vs.reshape %a0 : (tensor<8x8x8xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

func.func @reshape_no_common_factor(%a0: tensor<8x3x2xf32>) -> tensor<8x2x3xf32> {
  %r = vs.reshape %a0 : (tensor<8x3x2xf32>) -> tensor<8x2x3xf32>
  return %r : tensor<8x2x3xf32>
}

func.func @transpose(%a0: tensor<8x8x8xf32>) -> tensor<8x8x8xf32> {
  %r = vs.transpose %a0 {permutation = [1, 2, 0]} : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  return %r : tensor<8x8x8xf32>
}

func.func @broadcast(%a0: tensor<8xf32>) -> tensor<8x8xf32> {
  %r = vs.broadcast %a0 {dims = [1]} : (tensor<8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @broadcast_scalar(%a0: tensor<f32>) -> tensor<8x8xf32> {
  %r = vs.broadcast %a0 {dims = []} : (tensor<f32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @slice(%a0: tensor<8x8xf32>) -> tensor<8x3xf32> {
  %r = vs.slice %a0 {starts = [0, 1], limits = [8, 7], strides = [1, 2]} : (tensor<8x8xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}

func.func @dynamic_slice(%a0: tensor<8x8xf32>, %a1: tensor<i64>, %a2: tensor<i64>) -> tensor<8x3xf32> {
  %r = vs.dynamic_slice %a0, %a1, %a2 : (tensor<8x8xf32>, tensor<i64>, tensor<i64>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}

func.func @dynamic_update_slice(%a0: tensor<8x8xf32>, %a1: tensor<8x3xf32>, %a2: tensor<i64>, %a3: tensor<i64>) -> tensor<8x8xf32> {
  %r = vs.dynamic_update_slice %a0, %a1, %a2, %a3 : (tensor<8x8xf32>, tensor<8x3xf32>, tensor<i64>, tensor<i64>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @concat(%a0: tensor<8x8xf32>, %a1: tensor<8x3xf32>) -> tensor<8x11xf32> {
  %r = vs.concat %a0, %a1 {dim = 1} : (tensor<8x8xf32>, tensor<8x3xf32>) -> tensor<8x11xf32>
  return %r : tensor<8x11xf32>
}

func.func @pad_zeros(%a0: tensor<8x8xf32>) -> tensor<8x18xf32> {
  %r = vs.pad %a0 {low = [0, 1], high = [0, 2], interior = [0, 1]} : (tensor<8x8xf32>) -> tensor<8x18xf32>
  return %r : tensor<8x18xf32>
}

func.func @pad_value(%a0: tensor<8x8xf32>) -> tensor<8x11xf32> {
  %r = vs.pad %a0 {low = [0, 1], high = [0, 2], interior = [0, 0], value = 2.0 : f32} : (tensor<8x8xf32>) -> tensor<8x11xf32>
  return %r : tensor<8x11xf32>
}

func.func @reverse(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.reverse %a0 {dims = [1]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @take(%a0: tensor<8x8xf32>, %a1: tensor<8x8xi64>) -> tensor<8x8x8xf32> {
  %r = vs.take %a0, %a1 {dim = 0} : (tensor<8x8xf32>, tensor<8x8xi64>) -> tensor<8x8x8xf32>
  return %r : tensor<8x8x8xf32>
}

func.func @take_inner_dim(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>) -> tensor<8x8xf32> {
  %r = vs.take %a0, %a1 {dim = 1} : (tensor<8x8xf32>, tensor<8xi64>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @put_add(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.put add %a0, %a1, %a2 {dim = 1} : (tensor<8x8xf32>, tensor<8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @put_set(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.put set %a0, %a1, %a2 {dim = 1} : (tensor<8x8xf32>, tensor<8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @put_max(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.put max %a0, %a1, %a2 {dim = 1} : (tensor<8x8xf32>, tensor<8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @gather(%a0: tensor<8x8xf32>, %a1: tensor<8x8xi64>) -> tensor<8x8xf32> {
  %r = vs.gather %a0, %a1 {dim = 1} : (tensor<8x8xf32>, tensor<8x8xi64>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @scatter_add(%a0: tensor<8x8xf32>, %a1: tensor<8x8xi64>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.scatter add %a0, %a1, %a2 {dim = 1} : (tensor<8x8xf32>, tensor<8x8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @scatter_set(%a0: tensor<8x8xf32>, %a1: tensor<8x8xi64>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.scatter set %a0, %a1, %a2 {dim = 1} : (tensor<8x8xf32>, tensor<8x8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @scatter_max(%a0: tensor<8x8xf32>, %a1: tensor<8x8xi64>, %a2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.scatter max %a0, %a1, %a2 {dim = 1} : (tensor<8x8xf32>, tensor<8x8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @one_hot(%a0: tensor<8xi64>) -> tensor<8x8xf32> {
  %r = vs.one_hot %a0 {depth = 8} : (tensor<8xi64>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @softmax(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.softmax %a0 {dim = 1} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @softmax_gradient(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.softmax_gradient %a0, %a1 {dim = 1} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @log_softmax(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.log_softmax %a0 {dim = 1} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @log_softmax_gradient(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.log_softmax_gradient %a0, %a1 {dim = 1} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @layer_norm(%a0: tensor<8x8x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:3 = vs.layer_norm %a0, %a1, %a2 {epsilon = 1.0e-5} : (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

func.func @layer_norm_gradient(%a0: tensor<8x8x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<8x8xf32>, %a4: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %r:3 = vs.layer_norm_gradient %a0, %a1, %a2, %a3, %a4 : (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
}

func.func @rms_norm(%a0: tensor<8x8x8xf32>, %a1: tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>) {
  %r:2 = vs.rms_norm %a0, %a1 {epsilon = 1.0e-6} : (tensor<8x8x8xf32>, tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>)
  return %r#0, %r#1 : tensor<8x8x8xf32>, tensor<8x8xf32>
}

func.func @rms_norm_gradient(%a0: tensor<8x8x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>) {
  %r:2 = vs.rms_norm_gradient %a0, %a1, %a2, %a3 : (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8x8x8xf32>, tensor<8xf32>
}

func.func @batch_norm(%a0: tensor<8x8x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>, %a3: tensor<8xf32>, %a4: tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %r:3 = vs.batch_norm %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0e-5, momentum = 0.1} : (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
}

func.func @batch_norm_gradient(%a0: tensor<8x8x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %r:3 = vs.batch_norm_gradient %a0, %a1, %a2 : (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
}

func.func @cross_entropy(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>) -> tensor<8xf32> {
  %r = vs.cross_entropy %a0, %a1 {ignore_index = 2} : (tensor<8x8xf32>, tensor<8xi64>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @cross_entropy_gradient(%a0: tensor<8x8xf32>, %a1: tensor<8xi64>, %a2: tensor<8xf32>) -> tensor<8x8xf32> {
  %r = vs.cross_entropy_gradient %a0, %a1, %a2 {ignore_index = 2} : (tensor<8x8xf32>, tensor<8xi64>, tensor<8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @dropout(%a0: tensor<8x8xf32>, %a1: !vs.rng) -> tensor<8x8xf32> {
  %r = vs.dropout %a0, %a1 {rate = 0.5, draw_id = 4} : (tensor<8x8xf32>, !vs.rng) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @dropout_of_nothing(%a0: tensor<8x8xf32>, %a1: !vs.rng) -> tensor<8x8xf32> {
  %r = vs.dropout %a0, %a1 {rate = 0.0} : (tensor<8x8xf32>, !vs.rng) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @attention(%a0: tensor<8x8x8x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>) -> (tensor<8x8x8x3xf32>, tensor<8x8x8xf32>) {
  %r:2 = vs.attention %a0, %a1, %a2 : (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>) -> (tensor<8x8x8x3xf32>, tensor<8x8x8xf32>)
  return %r#0, %r#1 : tensor<8x8x8x3xf32>, tensor<8x8x8xf32>
}

func.func @attention_causal(%a0: tensor<8x1x8x2xf32>, %a1: tensor<8x1x8x2xf32>, %a2: tensor<8x1x8x3xf32>) -> (tensor<8x1x8x3xf32>, tensor<8x1x8xf32>) {
  %r:2 = vs.attention %a0, %a1, %a2 {causal} : (tensor<8x1x8x2xf32>, tensor<8x1x8x2xf32>, tensor<8x1x8x3xf32>) -> (tensor<8x1x8x3xf32>, tensor<8x1x8xf32>)
  return %r#0, %r#1 : tensor<8x1x8x3xf32>, tensor<8x1x8xf32>
}

func.func @attention_grouped(%a0: tensor<1x64x1x2xf32>, %a1: tensor<1x8x3x2xf32>, %a2: tensor<1x8x3x3xf32>) -> (tensor<1x64x1x3xf32>, tensor<1x64x1xf32>) {
  %r:2 = vs.attention %a0, %a1, %a2 : (tensor<1x64x1x2xf32>, tensor<1x8x3x2xf32>, tensor<1x8x3x3xf32>) -> (tensor<1x64x1x3xf32>, tensor<1x64x1xf32>)
  return %r#0, %r#1 : tensor<1x64x1x3xf32>, tensor<1x64x1xf32>
}

func.func @attention_bias(%a0: tensor<8x8x3x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: tensor<8x8x3x3xf32>) -> (tensor<8x8x3x3xf32>, tensor<8x8x3xf32>) {
  %r:2 = vs.attention %a0, %a1, %a2, %a3 : (tensor<8x8x3x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) -> (tensor<8x8x3x3xf32>, tensor<8x8x3xf32>)
  return %r#0, %r#1 : tensor<8x8x3x3xf32>, tensor<8x8x3xf32>
}

func.func @attention_shared_bias(%a0: tensor<8x8x8x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: tensor<1x1x8x3xf32>) -> (tensor<8x8x8x3xf32>, tensor<8x8x8xf32>) {
  %r:2 = vs.attention %a0, %a1, %a2, %a3 : (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<1x1x8x3xf32>) -> (tensor<8x8x8x3xf32>, tensor<8x8x8xf32>)
  return %r#0, %r#1 : tensor<8x8x8x3xf32>, tensor<8x8x8xf32>
}

func.func @attention_dropout(%a0: tensor<8x8x8x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: !vs.rng) -> (tensor<8x8x8x3xf32>, tensor<8x8x8xf32>) {
  %r:2 = vs.attention %a0, %a1, %a2, %a3 {dropout = 0.5, draw_id = 2} : (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, !vs.rng) -> (tensor<8x8x8x3xf32>, tensor<8x8x8xf32>)
  return %r#0, %r#1 : tensor<8x8x8x3xf32>, tensor<8x8x8xf32>
}

func.func @attention_gradient(%a0: tensor<8x8x8x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: tensor<8x8x8x3xf32>, %a4: tensor<8x8x8xf32>, %a5: tensor<8x8x8x3xf32>) -> (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>) {
  %r:3 = vs.attention_gradient %a0, %a1, %a2, %a3, %a4, %a5 : (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<8x8x8x3xf32>, tensor<8x8x8xf32>, tensor<8x8x8x3xf32>) -> (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>
}

func.func @attention_gradient_causal(%a0: tensor<8x1x8x2xf32>, %a1: tensor<8x1x8x2xf32>, %a2: tensor<8x1x8x3xf32>, %a3: tensor<8x1x8x3xf32>, %a4: tensor<8x1x8xf32>, %a5: tensor<8x1x8x3xf32>) -> (tensor<8x1x8x2xf32>, tensor<8x1x8x2xf32>, tensor<8x1x8x3xf32>) {
  %r:3 = vs.attention_gradient %a0, %a1, %a2, %a3, %a4, %a5 {causal} : (tensor<8x1x8x2xf32>, tensor<8x1x8x2xf32>, tensor<8x1x8x3xf32>, tensor<8x1x8x3xf32>, tensor<8x1x8xf32>, tensor<8x1x8x3xf32>) -> (tensor<8x1x8x2xf32>, tensor<8x1x8x2xf32>, tensor<8x1x8x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x1x8x2xf32>, tensor<8x1x8x2xf32>, tensor<8x1x8x3xf32>
}

func.func @attention_gradient_grouped(%a0: tensor<1x64x1x2xf32>, %a1: tensor<1x8x3x2xf32>, %a2: tensor<1x8x3x3xf32>, %a3: tensor<1x64x1x3xf32>, %a4: tensor<1x64x1xf32>, %a5: tensor<1x64x1x3xf32>) -> (tensor<1x64x1x2xf32>, tensor<1x8x3x2xf32>, tensor<1x8x3x3xf32>) {
  %r:3 = vs.attention_gradient %a0, %a1, %a2, %a3, %a4, %a5 : (tensor<1x64x1x2xf32>, tensor<1x8x3x2xf32>, tensor<1x8x3x3xf32>, tensor<1x64x1x3xf32>, tensor<1x64x1xf32>, tensor<1x64x1x3xf32>) -> (tensor<1x64x1x2xf32>, tensor<1x8x3x2xf32>, tensor<1x8x3x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<1x64x1x2xf32>, tensor<1x8x3x2xf32>, tensor<1x8x3x3xf32>
}

func.func @attention_gradient_bias(%a0: tensor<8x8x3x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: tensor<8x8x3x3xf32>, %a4: tensor<8x8x3x3xf32>, %a5: tensor<8x8x3xf32>, %a6: tensor<8x8x3x3xf32>) -> (tensor<8x8x3x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) {
  %r:4 = vs.attention_gradient %a0, %a1, %a2, %a3, %a4, %a5, %a6 : (tensor<8x8x3x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3xf32>, tensor<8x8x3x3xf32>) -> (tensor<8x8x3x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<8x8x3x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>
}

func.func @attention_gradient_shared_bias(%a0: tensor<8x8x8x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: tensor<1x1x8x3xf32>, %a4: tensor<8x8x8x3xf32>, %a5: tensor<8x8x8xf32>, %a6: tensor<8x8x8x3xf32>) -> (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<1x1x8x3xf32>) {
  %r:4 = vs.attention_gradient %a0, %a1, %a2, %a3, %a4, %a5, %a6 : (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<1x1x8x3xf32>, tensor<8x8x8x3xf32>, tensor<8x8x8xf32>, tensor<8x8x8x3xf32>) -> (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<1x1x8x3xf32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, tensor<1x1x8x3xf32>
}

func.func @attention_gradient_dropout(%a0: tensor<8x8x8x2xf32>, %a1: tensor<8x8x3x2xf32>, %a2: tensor<8x8x3x3xf32>, %a3: !vs.rng, %a4: tensor<8x8x8x3xf32>, %a5: tensor<8x8x8xf32>, %a6: tensor<8x8x8x3xf32>) -> (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>) {
  %r:3 = vs.attention_gradient %a0, %a1, %a2, %a3, %a4, %a5, %a6 {dropout = 0.5, draw_id = 2} : (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>, !vs.rng, tensor<8x8x8x3xf32>, tensor<8x8x8xf32>, tensor<8x8x8x3xf32>) -> (tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8x8x2xf32>, tensor<8x8x3x2xf32>, tensor<8x8x3x3xf32>
}

func.func @convolution(%a0: tensor<8x8x4xf32>, %a1: tensor<8x8x3xf32>) -> tensor<8x8x4xf32> {
  %r = vs.convolution %a0, %a1 {strides = [1], padding = [1], dilation = [1], groups = 1} : (tensor<8x8x4xf32>, tensor<8x8x3xf32>) -> tensor<8x8x4xf32>
  return %r : tensor<8x8x4xf32>
}

func.func @convolution_grouped(%a0: tensor<3x64x4xf32>, %a1: tensor<64x8x3xf32>) -> tensor<3x64x4xf32> {
  %r = vs.convolution %a0, %a1 {strides = [1], padding = [1], dilation = [1], groups = 8} : (tensor<3x64x4xf32>, tensor<64x8x3xf32>) -> tensor<3x64x4xf32>
  return %r : tensor<3x64x4xf32>
}

func.func @convolution_input_gradient(%a0: tensor<8x8x3xf32>, %a1: tensor<8x8x4xf32>) -> tensor<8x8x4xf32> {
  %r = vs.convolution_input_gradient %a0, %a1 {strides = [1], padding = [1], dilation = [1], groups = 1} : (tensor<8x8x3xf32>, tensor<8x8x4xf32>) -> tensor<8x8x4xf32>
  return %r : tensor<8x8x4xf32>
}

func.func @convolution_input_gradient_grouped(%a0: tensor<64x8x3xf32>, %a1: tensor<3x64x4xf32>) -> tensor<3x64x4xf32> {
  %r = vs.convolution_input_gradient %a0, %a1 {strides = [1], padding = [1], dilation = [1], groups = 8} : (tensor<64x8x3xf32>, tensor<3x64x4xf32>) -> tensor<3x64x4xf32>
  return %r : tensor<3x64x4xf32>
}

func.func @convolution_weight_gradient(%a0: tensor<8x8x4xf32>, %a1: tensor<8x8x4xf32>) -> tensor<8x8x3xf32> {
  %r = vs.convolution_weight_gradient %a0, %a1 {strides = [1], padding = [1], dilation = [1], groups = 1} : (tensor<8x8x4xf32>, tensor<8x8x4xf32>) -> tensor<8x8x3xf32>
  return %r : tensor<8x8x3xf32>
}

func.func @convolution_weight_gradient_grouped(%a0: tensor<3x64x4xf32>, %a1: tensor<3x64x4xf32>) -> tensor<64x8x3xf32> {
  %r = vs.convolution_weight_gradient %a0, %a1 {strides = [1], padding = [1], dilation = [1], groups = 8} : (tensor<3x64x4xf32>, tensor<3x64x4xf32>) -> tensor<64x8x3xf32>
  return %r : tensor<64x8x3xf32>
}

func.func @max_pool(%a0: tensor<8x8x4xf32>) -> tensor<8x8x2xf32> {
  %r = vs.max_pool %a0 {window = [2], strides = [2], padding = [0]} : (tensor<8x8x4xf32>) -> tensor<8x8x2xf32>
  return %r : tensor<8x8x2xf32>
}

func.func @max_pool_gradient(%a0: tensor<8x8x4xf32>, %a1: tensor<8x8x2xf32>) -> tensor<8x8x4xf32> {
  %r = vs.max_pool_gradient %a0, %a1 {window = [2], strides = [2], padding = [0]} : (tensor<8x8x4xf32>, tensor<8x8x2xf32>) -> tensor<8x8x4xf32>
  return %r : tensor<8x8x4xf32>
}

func.func @grouped_matmul(%a0: tensor<8x8xf32>, %a1: tensor<3x8x8xf32>, %a2: tensor<3xi32>) -> tensor<8x8xf32> {
  %r = vs.grouped_matmul %a0, %a1, %a2 : (tensor<8x8xf32>, tensor<3x8x8xf32>, tensor<3xi32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @grouped_matmul_weight_gradient(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<3xi32>) -> tensor<3x8x8xf32> {
  %r = vs.grouped_matmul_weight_gradient %a0, %a1, %a2 : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<3xi32>) -> tensor<3x8x8xf32>
  return %r : tensor<3x8x8xf32>
}

func.func @sgd(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<f32>) -> tensor<8x8xf32> {
  %r = vs.sgd %a0, %a1, %a2 {weight_decay = 0.25} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @sgd_momentum(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:2 = vs.sgd %a0, %a1, %a2, %a3 {momentum_factor = 0.5, nesterov} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

func.func @adamw(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<8x8xf32>, %a4: tensor<f32>, %a5: tensor<i64>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:3 = vs.adamw %a0, %a1, %a2, %a3, %a4, %a5 {beta1 = 0.5, beta2 = 0.75} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

func.func @adamw8bit(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xi8>, %a3: tensor<4xf32>, %a4: tensor<8x8xui8>, %a5: tensor<4xf32>, %a6: tensor<f32>, %a7: tensor<i64>) -> (tensor<8x8xf32>, tensor<8x8xi8>, tensor<4xf32>, tensor<8x8xui8>, tensor<4xf32>) {
  %r:5 = vs.adamw8bit %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7 {block_size = 16} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xi8>, tensor<4xf32>, tensor<8x8xui8>, tensor<4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x8xf32>, tensor<8x8xi8>, tensor<4xf32>, tensor<8x8xui8>, tensor<4xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<8x8xf32>, tensor<8x8xi8>, tensor<4xf32>, tensor<8x8xui8>, tensor<4xf32>
}

func.func @muon(%a0: tensor<8x8xf32>, %a1: tensor<8x8xf32>, %a2: tensor<8x8xf32>, %a3: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:2 = vs.muon %a0, %a1, %a2, %a3 {nesterov} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

func.func @clip_by_global_norm(%a0: tensor<8x8xf32>, %a1: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<f32>) {
  %r:3 = vs.clip_by_global_norm %a0, %a1 {max_norm = 1.0} : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<f32>)
  return %r#0, %r#1, %r#2 : tensor<8x8xf32>, tensor<8xf32>, tensor<f32>
}

func.func @tag(%a0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = vs.tag %a0 {name = "h"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
