#!/usr/bin/python3
"""Writes torch_values.txt: what PyTorch computes for the ops of OpCases.cpp, in f64.

Run it where PyTorch is installed (Debian: python3-torch) and check the result in:
    torch_values.py > torch_values.txt
"""
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def reals(*shape, low=-2.0, high=2.0):
    return torch.rand(*shape) * (high - low) + low


def integers(*shape, below=4):
    return torch.randint(0, below, shape, dtype=torch.int32)


def emit(name, inputs, outputs):
    print("case", name)
    for kind, tensors in (("in", inputs), ("out", outputs)):
        for tensor in tensors:
            if not torch.is_tensor(tensor):
                tensor = torch.tensor(tensor, dtype=torch.float64)
            kinds = {torch.float64: "f64", torch.float32: "f32", torch.int32: "i32",
                     torch.int64: "i64", torch.bool: "i1", torch.int8: "i8", torch.uint8: "ui8"}
            shape = "x".join(map(str, tensor.shape)) or "-"
            numbers = " ".join(repr(float(x)) if tensor.dtype.is_floating_point else str(int(x))
                               for x in tensor.reshape(-1))
            print(kind, kinds[tensor.dtype], shape, numbers)


def simple(name, function, *inputs):
    outputs = function(*inputs)
    emit(name, inputs, outputs if isinstance(outputs, (tuple, list)) else [outputs])


def elementwise():
    for name, function in [
            ("abs", torch.abs), ("neg", torch.neg), ("sign", torch.sign), ("exp", torch.exp),
            ("expm1", torch.expm1), ("sin", torch.sin), ("cos", torch.cos), ("tanh", torch.tanh),
            ("erf", torch.erf), ("sigmoid", torch.sigmoid), ("relu", torch.relu),
            ("silu", F.silu), ("gelu", F.gelu), ("floor", torch.floor), ("ceil", torch.ceil)]:
        simple(name, function, reals(2, 3))
    simple("gelu_approximate", lambda x: F.gelu(x, approximate="tanh"), reals(2, 3))
    simple("round", torch.round, torch.tensor([[0.5, 1.5, -0.5], [2.5, -1.7, 0.2]]))
    for name, function in [("log", torch.log), ("sqrt", torch.sqrt), ("rsqrt", torch.rsqrt),
                           ("reciprocal", torch.reciprocal)]:
        simple(name, function, reals(2, 3, low=0.1))
    simple("log1p", torch.log1p, reals(2, 3, low=-0.5))
    simple("neg_integers", torch.neg, integers(2, 3))
    simple("not", torch.bitwise_not, integers(2, 3))
    simple("is_finite", torch.isfinite,
           torch.tensor([[0.5, math.inf, -math.inf], [math.nan, 0, 1e300]]))
    simple("cast_to_integer", lambda x: x.to(torch.int32),
           torch.tensor([[0.5, -1.5, 2.99], [-2.99, 100, 0]]))
    nan = torch.tensor([[0.5, math.nan, 1], [2, 3, 4]])
    for name, function in [("add", torch.add), ("sub", torch.sub), ("mul", torch.mul),
                           ("div", torch.div), ("remainder", torch.fmod)]:
        simple(name, function, reals(2, 3), reals(2, 3))
    simple("maximum", torch.maximum, nan, reals(2, 3))
    simple("minimum", torch.minimum, nan, reals(2, 3))
    simple("pow", torch.pow, reals(2, 3, low=0.1), reals(2, 3))
    simple("and", torch.bitwise_and, integers(2, 3), integers(2, 3))
    simple("or", torch.bitwise_or, integers(2, 3), integers(2, 3))
    simple("xor", torch.bitwise_xor, integers(2, 3), integers(2, 3))
    for name in ["eq", "ne", "lt", "le", "gt", "ge"]:
        simple("compare_" + name, getattr(torch, name), nan,
               torch.tensor([[0.5, 1, 2], [2.5, math.nan, 4]]))
    simple("select", torch.where, integers(2, 3, below=2).bool(), reals(2, 3), reals(2, 3))
    simple("clamp", lambda x, a, b: torch.minimum(torch.maximum(x, a), b), reals(2, 3),
           reals(2, 3), reals(2, 3))


def contractions():
    simple("einsum_linear", lambda x, w: F.linear(x, w), reals(2, 3, 4), reals(5, 4))
    simple("einsum_batch", lambda a, b: torch.bmm(a, b).transpose(1, 2), reals(2, 3, 4),
           reals(2, 4, 2))
    simple("einsum_outer", lambda a, b: torch.outer(b, a), reals(2), reals(3))
    simple("einsum_dot", torch.dot, reals(4), reals(4))


def reductions():
    simple("reduce_sum", lambda x: x.sum((0, 2)), reals(2, 3, 4))
    simple("reduce_mean", lambda x: x.mean((0, 2)), reals(2, 3, 4))
    simple("reduce_max", lambda x: x.amax((0, 2)), reals(2, 3, 4))
    simple("reduce_min", lambda x: x.amin((0, 2)), reals(2, 3, 4))
    simple("reduce_prod", lambda x: x.prod(2).prod(0), reals(2, 3, 4))
    simple("reduce_all", lambda x: x.sum(), reals(2, 3))
    ties = torch.tensor([[1.0, 3, 3, 2, 0], [0, -1, 5, math.nan, 7]])
    simple("arg_max", lambda x: x.argmax(1), ties)
    simple("cumulative_sum", lambda x: x.cumsum(1), reals(3, 4))
    simple("cumulative_sum_exclusive", lambda x: x.cumsum(0) - x, reals(3, 4))
    simple("cumulative_sum_reverse", lambda x: x.flip(1).cumsum(1).flip(1), reals(3, 4))
    simple("sort", lambda x: list(torch.sort(x, dim=1, stable=True)), ties)
    simple("sort_descending", lambda x: list(torch.sort(x, dim=0, stable=True, descending=True)),
           ties.t().contiguous())
    simple("top_k", lambda x: list(torch.topk(x, 3)), reals(2, 5))


def shapes():
    simple("reshape", lambda x: x.reshape(3, 4), reals(2, 6))
    simple("transpose", lambda x: x.permute(2, 0, 1), reals(2, 3, 4))
    simple("broadcast", lambda x: x[None, :, None].expand(2, 3, 2), reals(3))
    simple("slice", lambda x: x[1:3, 0:5:2], reals(4, 5))
    i, j = torch.tensor(1, dtype=torch.int32), torch.tensor(2, dtype=torch.int32)
    far = torch.tensor(3, dtype=torch.int32)
    simple("dynamic_slice", lambda x, a, b: x[1:3, 2:5], reals(4, 5), i, j)
    # Starts beyond the last legal one are clamped.
    simple("dynamic_slice", lambda x, a, b: x[2:4, 2:5], reals(4, 5), far, far)
    x, update = reals(4, 5), reals(2, 3)
    updated = x.clone()
    updated[1:3, 2:5] = update
    emit("dynamic_update_slice", [x, update, i, j], [updated])
    simple("concat", lambda a, b: torch.cat([a, b]), reals(2, 3), reals(1, 3))
    x = reals(2, 3)
    padded = torch.zeros(4, 7)
    padded[1:3, 0:5:2] = x
    emit("pad", [x], [padded])
    simple("reverse", lambda x: x.flip(1), reals(2, 3))


def indexing():
    indices = torch.tensor([[0, 3], [2, 0]], dtype=torch.int32)
    simple("take", lambda t, i: F.embedding(i, t), reals(4, 3), indices)
    simple("take_dim_1", lambda t, i: t.index_select(1, i), reals(2, 4),
           torch.tensor([3, 0, 3], dtype=torch.int32))
    simple("put_add", lambda x, i, u: x.index_add(0, i.reshape(-1), u.reshape(-1, 3)),
           reals(4, 3), indices, reals(2, 2, 3))
    columns = torch.tensor([[0, 3], [1, 1], [2, 0]], dtype=torch.int32)
    simple("gather", lambda x, i: x.gather(1, i.long()), reals(3, 4), columns)
    simple("scatter_add", lambda x, i, u: x.scatter_add(1, i.long(), u), reals(3, 4), columns,
           reals(3, 2))
    simple("one_hot", lambda i: F.one_hot(i.long(), 4).double(), indices)


def gradients(function, inputs, gradient):
    """The gradients of the first result for `gradient`."""
    leaves = [x.clone().requires_grad_() for x in inputs]
    function(*leaves).backward(gradient)
    return [x.grad for x in leaves]


def layers():
    simple("softmax", lambda x: F.softmax(x, 1), reals(3, 4))
    simple("log_softmax", lambda x: F.log_softmax(x, 1), reals(3, 4))
    x, g = reals(3, 4), reals(3, 4)
    emit("softmax_gradient", [F.softmax(x, 0), g], gradients(lambda x: F.softmax(x, 0), [x], g))
    emit("log_softmax_gradient", [F.log_softmax(x, 0), g],
         gradients(lambda x: F.log_softmax(x, 0), [x], g))

    x, w, b, g = reals(3, 4), reals(4), reals(4), reals(3, 4)
    mean, rstd = x.mean(1), (x.var(1, unbiased=False) + 1e-3).rsqrt()
    norm = lambda x, w, b: F.layer_norm(x, (4,), w, b, 1e-3)
    emit("layer_norm", [x, w, b], [norm(x, w, b), mean, rstd])
    emit("layer_norm_gradient", [x, w, mean, rstd, g], gradients(norm, [x, w, b], g))
    rrms = (x.square().mean(1) + 1e-3).rsqrt()
    rms = lambda x, w: x * (x.square().mean(1, keepdim=True) + 1e-3).rsqrt() * w
    emit("rms_norm", [x, w], [rms(x, w), rrms])
    emit("rms_norm_gradient", [x, w, rrms, g], gradients(rms, [x, w], g))

    x, w, b, g = reals(2, 3, 4), reals(3), reals(3), reals(2, 3, 4)
    mean, variance = reals(3), reals(3, low=0.5)
    new_mean, new_variance = mean.clone(), variance.clone()
    y = F.batch_norm(x, new_mean, new_variance, w, b, True, 0.25, 1e-3)
    emit("batch_norm", [x, w, b, mean, variance], [y, new_mean, new_variance])
    norm = lambda x, w, b: F.batch_norm(x, None, None, w, b, True, 0.25, 1e-3)
    emit("batch_norm_gradient", [x, w, g], gradients(norm, [x, w, b], g))

    logits, targets, g = reals(3, 4), torch.tensor([1, 2, 3], dtype=torch.int32), reals(3)
    loss = lambda x: F.cross_entropy(x, targets.long(), ignore_index=2, reduction="none")
    emit("cross_entropy", [logits, targets], [loss(logits)])
    emit("cross_entropy_gradient", [logits, targets, g], gradients(loss, [logits], g))


def attend(q, k, v, bias=None, causal=False, scale=None):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    scores = q @ k.transpose(2, 3) * (scale or q.shape[3] ** -0.5)
    if bias is not None:
        scores = scores + bias
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[2:]).triu(1).bool(), -math.inf)
    return scores.softmax(3) @ v, scores.logsumexp(3)


def attention():
    q, k, v = reals(2, 4, 3, 2), reals(2, 2, 5, 2), reals(2, 2, 5, 3)
    simple("attention", attend, q, k, v)
    simple("attention_causal", lambda q, k, v: attend(q, k, v, causal=True, scale=0.5),
           reals(1, 2, 4, 2), reals(1, 2, 4, 2), reals(1, 2, 4, 2))
    simple("attention_bias", attend, q, k, v, reals(1, 4, 3, 5))
    output, sums = attend(q, k, v)
    g = reals(*output.shape)
    emit("attention_gradient", [q, k, v, output, sums, g],
         gradients(lambda q, k, v: attend(q, k, v)[0], [q, k, v], g))


def shared_bias():
    q, k, v, bias = reals(2, 4, 3, 2), reals(2, 2, 5, 2), reals(2, 2, 5, 3), reals(1, 4, 3, 5)
    causal = lambda q, k, v, bias: attend(q, k, v, bias, causal=True)
    output, sums = causal(q, k, v, bias)
    g = reals(*output.shape)
    emit("attention_gradient_bias", [q, k, v, bias, output, sums, g],
         gradients(lambda *x: causal(*x)[0], [q, k, v, bias], g))


def windows():
    x, w = reals(2, 4, 7), reals(6, 2, 3)
    convolve = lambda x, w: F.conv1d(x, w, stride=2, padding=1, dilation=2, groups=2)
    y = convolve(x, w)
    g = reals(*y.shape)
    dx, dw = gradients(convolve, [x, w], g)
    emit("convolution", [x, w], [y])
    emit("convolution_input_gradient", [w, g], [dx])
    emit("convolution_weight_gradient", [x, g], [dw])
    simple("convolution_2d", lambda x, w: F.conv2d(x, w, padding=(0, 1)), reals(1, 2, 4, 5),
           reals(3, 2, 2, 3))
    pool = lambda x: F.max_pool1d(x, 3, 2, 1)
    x = torch.randint(-3, 3, (2, 3, 7)).double()  # With ties.
    y = pool(x)
    g = reals(*y.shape)
    emit("max_pool", [x], [y])
    emit("max_pool_gradient", [x, g], gradients(pool, [x], g))
    simple("max_pool_2d", lambda x: F.max_pool2d(x, (2, 2), (2, 1)), reals(1, 2, 4, 4))

    x, w, counts = reals(6, 4), reals(3, 2, 4), torch.tensor([2, 0, 3], dtype=torch.int32)

    def grouped(x, w):
        return torch.cat([x[:2] @ w[0].t(), x[2:5] @ w[2].t(), torch.zeros(1, 2)])

    g = reals(6, 2)
    emit("grouped_matmul", [x, w, counts], [grouped(x, w)])
    emit("grouped_matmul_weight_gradient", [x, g, counts], [gradients(grouped, [x, w], g)[1]])


def optimizers():
    p, g, rate = reals(2, 3), reals(2, 3), 0.125

    def stepped(optimizer_class, gradients, **options):
        parameter = torch.nn.Parameter(p.clone())
        optimizer = optimizer_class([parameter], lr=rate, **options)
        for gradient in gradients:
            before = parameter.detach().clone()
            parameter.grad = gradient.clone()
            state = {k: v.clone() if torch.is_tensor(v) else v
                     for k, v in optimizer.state[parameter].items()}
            optimizer.step()
        return before, parameter.detach(), state, optimizer.state[parameter]

    _, new, _, _ = stepped(torch.optim.SGD, [g], weight_decay=0.1)
    emit("sgd", [p, g, rate], [new])
    for name, nesterov in (("sgd_momentum", False), ("sgd_nesterov", True)):
        g2 = reals(2, 3)
        before, new, state, after = stepped(torch.optim.SGD, [g, g2], momentum=0.9,
                                            weight_decay=0.1, nesterov=nesterov)
        emit(name, [before, g2, state["momentum_buffer"], rate], [new, after["momentum_buffer"]])
    g2 = reals(2, 3)
    before, new, state, after = stepped(torch.optim.AdamW, [g, g2], betas=(0.9, 0.95), eps=1e-6,
                                        weight_decay=0.01)
    emit("adamw", [before, g2, state["exp_avg"], state["exp_avg_sq"], rate, 2.0],
         [new, after["exp_avg"], after["exp_avg_sq"]])

    a, b = reals(2, 3), reals(4)
    clipped = [torch.nn.Parameter(torch.zeros_like(t)) for t in (a, b)]
    for parameter, gradient in zip(clipped, (a, b)):
        parameter.grad = gradient.clone()
    norm = torch.nn.utils.clip_grad_norm_(clipped, 1.0)
    emit("clip_by_global_norm", [a, b], [clipped[0].grad, clipped[1].grad, norm])

    # Jordan's Muon, in f64.
    w, g, m = reals(3, 2), reals(3, 2), reals(3, 2)
    new_m = 0.95 * m + g
    x = (g + 0.95 * new_m).t()
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        s = x @ x.t()
        x = 3.4445 * x + (-4.7750 * s + 2.0315 * s @ s) @ x
    emit("muon", [w, g, m, rate],
         [w - rate * 0.1 * w - rate * math.sqrt(1.5) * x.t(), new_m])


if __name__ == "__main__":
    torch.manual_seed(1)
    for family in (elementwise, contractions, reductions, shapes, indexing, layers, attention,
                   windows, optimizers, shared_bias):
        family()
