// Learns the factors by which tokens must be multiplied to stay what they are: loss = mean((x * w - x)^2), from
// w = 0. Written as the compiler sees it after placement: batches are cut, parameters are not.
#mesh = #dist.mesh<["dp" = 2]>
!tokens = tensor<8x16xi32, #dist.layout<#mesh, [{"dp"}, {}]>>
!x = tensor<8x16xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!w = tensor<16xf32, #dist.layout<#mesh, [{}]>>
!wp = tensor<16xf32, #dist.layout<#mesh, [{}], partial = [sum: "dp"]>>
!s = tensor<f32, #dist.layout<#mesh, []>>
!sp = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "dp"]>>

func.func @step(%w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.zeros},
                %tokens: !tokens {vs.role = "batch", vs.name = "tokens"},
                %lr: !s {vs.role = "scalar", vs.name = "learning_rate"})
    -> (!w {vs.aliases = 0 : i64}, !s {vs.name = "loss"}) {
  %x = vs.cast %tokens : !tokens -> !x
  %b = vs.broadcast %w {dims = [1]} : !w -> !x
  %p = vs.mul %x, %b : !x
  %d = vs.sub %p, %x : !x
  %q = vs.mul %d, %d : !x
  %lp = vs.reduce mean %q dims = [0, 1] : !x -> !sp
  %l = dist.redistribute %lp : !sp -> !s
  %e = vs.mul %d, %x : !x
  %gp = vs.reduce mean %e dims = [0] : !x -> !wp
  %g = dist.redistribute %gp : !wp -> !w
  %r = vs.broadcast %lr {dims = []} : !s -> !w
  %u = vs.mul %r, %g : !w
  %w1 = vs.sub %w, %u : !w
  return %w1, %l : !w, !s
}
