// RUN: vescale-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(dist-verify-communication))'

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @started_and_waited_for(%x: !cut) -> (!whole, !cut) {
  %f = dist.start "all_gather" %x {id = 0} : (!cut) -> !dist.future<!whole>
  %a = dist.wait %f : !dist.future<!whole>
  %b = dist.slice %a {id = 1} : !whole -> !cut
  return %a, %b : !whole, !cut
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @redistributions_are_gone(%x: !cut) -> !whole {
  // expected-error @below {{is left: every redistribution must have become steps}}
  %a = dist.redistribute %x : !cut -> !whole
  return %a : !whole
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @steps_that_send_are_started(%x: !cut) -> !whole {
  // expected-error @below {{sends and is not started}}
  %a = dist.all_gather %x {id = 0} : !cut -> !whole
  return %a : !whole
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @futures_are_waited_for(%x: !cut, %y: !cut) -> !whole {
  // expected-error @below {{is not waited for: result 1}}
  %f:2 = dist.start "all_gather" %x, %y {id = 0} : (!cut, !cut) -> (!dist.future<!whole>, !dist.future<!whole>)
  %a = dist.wait %f#0 : !dist.future<!whole>
  return %a : !whole
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @futures_do_not_leave(%x: !cut) -> !dist.future<!whole> {
  // expected-error @below {{has a future, result 0, that leaves the block or is used by others than waits}}
  %f = dist.start "all_gather" %x {id = 0} : (!cut) -> !dist.future<!whole>
  // expected-note @below {{by this op}}
  return %f : !dist.future<!whole>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @ids_are_unique(%x: !cut) -> (!whole, !cut) {
  // expected-note @below {{the other step}}
  %f = dist.start "all_gather" %x {id = 0} : (!cut) -> !dist.future<!whole>
  %a = dist.wait %f : !dist.future<!whole>
  // expected-error @below {{has the id 0 of another step}}
  %b = dist.slice %a {id = 0} : !whole -> !cut
  return %a, %b : !whole, !cut
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @sends_are_received(%x: !whole) {
  // expected-error @below {{has no receive of its id}}
  dist.send %x {peer = 1, id = 7} : !whole
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @receives_are_sent() -> !whole {
  // expected-error @below {{has no send of its id}}
  %x = dist.recv {peer = 1, id = 7} : !whole
  return %x : !whole
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @ids_of_sends_differ(%x: !whole) {
  dist.send %x {peer = 1, id = 7} : !whole
  // expected-error @below {{needs an id that no other send has}}
  dist.send %x {peer = 1, id = 7} : !whole
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

func.func @types_of_peers_agree(%x: !whole) -> tensor<4xf32, #dist.layout<#mesh, [{}]>> {
  dist.send %x {peer = 1, id = 7} : !whole
  // expected-error @below {{receives 'tensor<4xf32, #dist.layout<#dist.mesh<["x" = 2]>, [{}]>>', sent is 'tensor<8xf32}}
  %y = dist.recv {peer = 0, id = 7} : tensor<4xf32, #dist.layout<#mesh, [{}]>>
  return %y : tensor<4xf32, #dist.layout<#mesh, [{}]>>
}
