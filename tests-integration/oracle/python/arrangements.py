"""Reductions, running ones, sorting, indexing, movement, products and Fourier transforms of random shapes."""
import numpy as np
import torch


def arrangements(cases):
    choices = cases.random.choices
    rank = choices.choice([1, 2, 3, 4])
    shape = [choices.choice([1, 2, 3, 4]) for _ in range(rank)]
    dtype = choices.choice(['f64', 'f64', 'f32', 'c128'])
    axis = choices.randrange(-rank, rank)
    reductions(cases, shape, dtype)
    running(cases, shape, dtype, axis)
    indexing(cases, shape, dtype, axis)
    movement(cases, shape, dtype, axis)
    products(cases, dtype)
    fourier(cases, shape, axis)


def real(dtype):
    return 'f64' if dtype[0] == 'c' else dtype


def with_zeros(cases, shape, dtype):
    """Zeros are where products are hard."""
    values = cases.random.draw(shape, dtype)
    for _ in range(cases.random.choices.randint(0, 2)):
        values.ravel()[cases.random.numbers.integers(values.size)] = 0
    return values


def reductions(cases, shape, dtype):
    draw, choices, rank = cases.random.draw, cases.random.choices, len(shape)
    axes = [axis - rank if choices.random() < 0.4 else axis for axis in choices.sample(range(rank), choices.randint(1, rank))]
    kept = choices.random() < 0.5
    args, over = {'axes': axes, 'keepdims': kept}, tuple(axes)
    x = (draw(shape, dtype), dtype)

    def prod(values):
        for axis in sorted((axis % rank for axis in axes), reverse=True):
            values = torch.prod(values, axis, keepdim=kept)
        return values

    cases.add('sum', lambda v: torch.sum(v, over, kept), [x], args)
    cases.add('mean', lambda v: torch.mean(v, over, kept), [x], args)
    cases.add('prod', prod, [(with_zeros(cases, shape, dtype), dtype)], args)
    y = (draw(shape, real(dtype)), real(dtype))
    cases.add('max', lambda v: torch.amax(v, over, kept), [y], args)
    cases.add('min', lambda v: torch.amin(v, over, kept), [y], args)
    cases.add('logsumexp', lambda v: torch.logsumexp(v, over, kept), [y], args)
    if np.prod([shape[axis] for axis in axes]) > 1:
        for correction in (0, 1):
            own = {**args, 'ddof': correction}
            cases.add('var', lambda v: torch.var(v, over, correction=correction, keepdim=kept), [y], own)
            cases.add('std', lambda v: torch.std(v, over, correction=correction, keepdim=kept), [y], own)
    for order, name in ((1, 1), (2, 2), (3, 3), (0.5, 0.5), (np.inf, 'inf'), (-np.inf, '-inf'), (0, 0)):
        cases.add('vector_norm', lambda v: torch.linalg.vector_norm(v, order, over, kept), [y], {**args, 'ord': name}, derivatives=1 if order == 0 else 2)
    cases.add('vector_norm', lambda v: torch.linalg.vector_norm(v, 2, over, kept), [x], {**args, 'ord': 2})


def running(cases, shape, dtype, axis):
    draw, choices = cases.random.draw, cases.random.choices
    x, y = (draw(shape, dtype), dtype), (2 * draw(shape, real(dtype)), real(dtype))
    descending, at = choices.random() < 0.5, {'axis': axis}
    cases.add('cumsum', lambda v: torch.cumsum(v, axis), [x], at)
    cases.add('cumprod', lambda v: torch.cumprod(v, axis), [(with_zeros(cases, shape, dtype), dtype)], at)
    cases.add('cummax', lambda v: torch.cummax(v, axis)[0], [y], at)
    cases.add('softmax', lambda v: torch.softmax(v, axis), [y], at)
    cases.add('log_softmax', lambda v: torch.log_softmax(v, axis), [y], at)
    # Its second derivative in PyTorch is NaN.
    cases.add('logcumsumexp', lambda v: torch.logcumsumexp(v, axis), [y], at, derivatives=1)
    cases.add('sort', lambda v: torch.sort(v, dim=axis, descending=descending, stable=True)[0], [y], {**at, 'descending': descending})
    ties = (np.round(draw(shape, 'f64')), 'f64')
    cases.add('argsort', lambda v: torch.argsort(v, dim=axis, descending=descending, stable=True), [ties], {**at, 'descending': descending}, derivatives=0)
    cases.add('argmax', lambda v: torch.argmax(v, axis), [y], at, derivatives=0)
    cases.add('argmin', lambda v: torch.argmin(v, axis), [y], at, derivatives=0)
    k = choices.randint(0, shape[axis])
    cases.add('topk', lambda v: torch.topk(v, k, axis), [y], {**at, 'k': k})


def indexing(cases, shape, dtype, axis):
    draw, choices, integers = cases.random.draw, cases.random.choices, cases.random.numbers.integers
    x, at, here = (draw(shape, dtype), dtype), {'axis': axis}, axis % len(shape)
    beside = lambda count: [*shape[:here], count, *shape[here + 1:]]
    count = choices.randint(0, 5)
    along = (integers(0, shape[axis], beside(count)), 'i64')
    cases.add('take_along_axis', lambda v, i: torch.gather(v, axis, i), [x, along], at)
    cases.add('scatter_add', lambda v, i, u: torch.scatter_add(v, axis, i, u), [x, along, (draw(beside(count), dtype), dtype)], at)
    rows = (integers(0, shape[axis], count), 'i64')
    cases.add('index_add', lambda v, i, u: torch.index_add(v, axis, i, u), [x, rows, (draw(beside(count), dtype), dtype)], at)
    some = (integers(0, shape[axis], choices.choice([[], [3], [2, 2], [0]])), 'i64')
    cases.add('take', lambda v, i: torch.index_select(v, axis, i.reshape(-1)).reshape([*v.shape[:here], *i.shape, *v.shape[here + 1:]]), [x, some], at)
    other = (draw(choices.choice([shape, [], [1] * len(shape)]), dtype), dtype)
    cases.add('where', torch.where, [(draw(shape, 'bool'), 'bool'), x, other])


def movement(cases, shape, dtype, axis):
    draw, choices, rank = cases.random.draw, cases.random.choices, len(shape)
    x, axes = (draw(shape, dtype), dtype), choices.sample(range(rank), choices.randint(1, rank))
    shift, order = choices.randint(-5, 5), choices.sample(range(rank), rank)
    cases.add('flip', lambda v: torch.flip(v, axes), [x], {'axes': axes})
    cases.add('roll', lambda v: torch.roll(v, shift, axis), [x], {'shift': shift, 'axis': axis})
    cases.add('transpose', lambda v: v.permute(order), [x], {'perm': order})
    start = [choices.randint(0, size) for size in shape]
    stop = [choices.randint(first, size) for first, size in zip(start, shape)]
    step = [choices.randint(1, 3) for _ in shape]
    cases.add('slice', lambda v: v[tuple(map(slice, start, stop, step))], [x], {'start': start, 'stop': stop, 'step': step})
    cases.add('stack', lambda *v: torch.stack(v, axis), [(draw(shape, dtype), dtype) for _ in range(choices.randint(1, 3))], {'axis': axis})
    sizes = [choices.randint(0, 3) for _ in range(choices.randint(1, 3))]
    here = axis % rank
    cases.add('concat', lambda *v: torch.cat(v, axis), [(draw([*shape[:here], size, *shape[here + 1:]], dtype), dtype) for size in sizes], {'axis': axis})
    pad(cases, shape, dtype)
    if rank > 1:
        k = choices.randint(-3, 3)
        cases.add('tril', lambda v: torch.tril(v, k), [x], {'k': k})
        cases.add('triu', lambda v: torch.triu(v, k), [x], {'k': k})
        cases.add('diagonal', lambda v: torch.diagonal(v, 0, -2, -1), [x], area='linalg')
        cases.add('trace', lambda v: torch.diagonal(v, 0, -2, -1).sum(-1), [x], area='linalg')
    cases.add('diag_embed', torch.diag_embed, [x], area='linalg')


def pad(cases, shape, dtype):
    choices = cases.random.choices
    low, high, interior = ([choices.randint(least, 2) for _ in shape] for least in (-1, -1, 0))
    value = choices.choice([0, 0, 1.5, -2])
    spread = [size + (size - 1) * between for size, between in zip(shape, interior)]
    if any(first + last + size < 0 for first, last, size in zip(low, high, spread)):
        return

    def padded(x):
        inner = torch.full(spread, value, dtype=x.dtype)
        inner[tuple(slice(0, None, between + 1) for between in interior)] = x
        inner = inner[tuple(slice(max(0, -first), size - max(0, -last)) for first, last, size in zip(low, high, spread))]
        whole = torch.full([first + last + size for first, last, size in zip(low, high, spread)], value, dtype=x.dtype)
        whole[tuple(slice(max(0, first), max(0, first) + size) for first, size in zip(low, inner.shape))] = inner
        return whole

    cases.add('pad', padded, [(cases.random.draw(shape, dtype), dtype)], {'low': low, 'high': high, 'interior': interior, 'value': value})


def products(cases, dtype):
    draw, choices = cases.random.draw, cases.random.choices
    m, k, n = (choices.choice([0, 1, 2, 3, 4]) for _ in range(3))
    left, right = choices.choice([([], []), ([2], [2]), ([2, 1], [3]), ([], [3]), ([1], [2])])
    operand = lambda shape: (draw(shape, dtype), dtype)
    cases.add('matmul', torch.matmul, [operand([*left, m, k]), operand([*right, k, n])])
    cases.add('matmul', torch.matmul, [operand([k]), operand([*right, k, n])])
    cases.add('matmul', torch.matmul, [operand([*left, m, k]), operand([k])])
    cases.add('kron', torch.kron, [operand([m, k]), operand([k, n])], area='linalg')


def fourier(cases, shape, axis):
    draw, choices = cases.random.draw, cases.random.choices
    n, norm = choices.choice([None, 1, 2, 3, 5, 8, shape[axis]]), choices.choice(['backward', 'ortho', 'forward'])
    z, x = (draw(shape, 'c128'), 'c128'), (draw(shape, 'f64'), 'f64')
    for op, operand in (('fft', z), ('ifft', z), ('hfft', z), ('irfft', z), ('rfft', x), ('ihfft', x), ('fft', x)):
        if op in ('hfft', 'irfft') and n is None and shape[axis] < 2:
            continue
        cases.add(op, lambda v: getattr(torch.fft, op)(v, n, axis, norm), [operand], {'n': n, 'axis': axis, 'norm': norm}, area='fft')
    axes = sorted(choices.sample(range(len(shape)), choices.randint(1, len(shape))))
    sizes = choices.choice([None, [choices.randint(1, 5) for _ in axes]])
    for op, operand in (('fftn', z), ('ifftn', z), ('rfftn', x), ('irfftn', z)):
        if op == 'irfftn' and sizes is None and shape[axes[-1]] < 2:
            continue
        cases.add(op, lambda v: getattr(torch.fft, op)(v, sizes, axes, norm), [operand], {'s': sizes, 'axes': axes, 'norm': norm}, area='fft')
    cases.add('fftshift', lambda v: torch.fft.fftshift(v, axes), [z], {'axes': axes}, area='fft')
