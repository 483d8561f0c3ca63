"""Linear algebra: functions of matrices, losses of decompositions that no choice of signs or phases changes, and einsum."""
import numpy as np
import torch

L = torch.linalg


def functions(cases):
    draw, choices = cases.random.draw, cases.random.choices
    for dtype in ('f64', 'c128'):
        lead, n, k = choices.choice([[], [2], [2, 1], [0]]), choices.choice([1, 2, 3, 5]), choices.choice([0, 1, 3])
        rows, columns = choices.choice([(3, 3), (4, 2), (2, 4), (1, 3), (3, 1)])
        a = (draw([*lead, n, n], dtype) + 2 * np.eye(n), dtype)
        x = (draw([*lead, rows, columns], dtype), dtype)
        add = lambda op, compute, inputs, args=None, derivatives=2: cases.add(op, compute, inputs, args, area='linalg', derivatives=derivatives, rtol=1e-10)
        add('solve', L.solve, [a, (draw([*lead, n, k], dtype), dtype)])
        for op, compute in (('det', L.det), ('inv', L.inv), ('slogdet', L.slogdet)):
            add(op, compute, [a])
        add('matrix_exp', torch.matrix_exp, [(0.3 * a[0], dtype)], derivatives=1)
        power = choices.choice([-3, -1, 0, 1, 2, 5])
        add('matrix_power', lambda v: L.matrix_power(v, power), [a], {'n': power})
        add('svdvals', L.svdvals, [x])
        add('pinv', L.pinv, [x])
        for order in ('fro', 'nuc', 1, -1, 2, -2, 'inf', '-inf'):
            add('matrix_norm', lambda v: L.matrix_norm(v, float(order) if order in ('inf', '-inf') else order), [x], {'ord': order})
        add('cond', lambda v: L.svdvals(v)[..., 0] / L.svdvals(v)[..., -1], [a])
        triangular(cases, a, dtype, lead, n)


def triangular(cases, a, dtype, lead, n):
    choices = cases.random.choices
    lower, trans, unit, left = choices.random() < 0.5, choices.choice('NTC'), choices.random() < 0.3, choices.random() < 0.7

    def compute(matrix, right):
        own = torch.tril(matrix) if lower else torch.triu(matrix)
        if unit:
            own = own - torch.diag_embed(torch.diagonal(own, 0, -2, -1)) + torch.eye(n, dtype=matrix.dtype)
        return L.solve({'N': own, 'T': own.mT, 'C': own.mH}[trans], right, left=left)

    right = (cases.random.draw([*lead, n, 2] if left else [*lead, 2, n], dtype), dtype)
    cases.add('triangular_solve', compute, [a, right], {'lower': lower, 'trans': trans, 'left': left, 'unit_diagonal': unit}, area='linalg', rtol=1e-10)


def decompositions(cases):
    draw, choices = cases.random.draw, cases.random.choices
    for dtype in ('f64', 'c128', 'f32', 'c64'):
        lead, (m, n) = choices.choice([[], [], [2], [2, 1]]), choices.choice([(3, 3), (4, 2), (2, 4), (1, 3), (3, 1), (1, 1), (5, 5), (6, 3)])
        x, square = (draw([*lead, m, n], dtype), dtype), (draw([*lead, m, m], dtype), dtype)
        options = {'derivatives': 2, 'rtol': 1e-9} if dtype in ('f64', 'c128') else {'derivatives': 1, 'rtol': 2e-5}
        k = choices.randint(1, min(m, n))
        for label, build in (('svd.reconstruct', reconstruct), ('svd.polar', polar), ('svd.func', svd_function), ('svd.invariants', svd_invariants), ('svd.projector', lambda steps, a: svd_projector(steps, a, k))):
            cases.program(label, build, [x], **options)
        for label, build in (('eigh.matrix_function', eigh_function), ('eigh.invariants', eigh_invariants), ('cholesky', cholesky)):
            cases.program(label, build, [square], **options)
        # Single precision of ill-conditioned factors is no answer to compare with.
        if dtype in ('f64', 'c128'):
            cases.program('eig.function', eig_function, [square], derivatives=1, rtol=1e-8)
            cases.program('lu.factors', lu, [x], **options)
            cases.program('lstsq', lambda steps, a, b: steps.do('lstsq', lambda p, q: torch.matmul(L.pinv(p), q), a, b), [x, (draw([*lead, m, 2], dtype), dtype)], **options)
            if m >= n:
                cases.program('qr.abs2', qr_squares, [x], **options)
                cases.program('qr.projector', qr_projector, [x], **options)


def product(steps, a, b):
    return steps.do('matmul', torch.matmul, a, b)


def adjoint(steps, a):
    return steps.do('adjoint', lambda v: v.mH, a)


def squares(steps, a):
    """|a|² of each element."""
    if not a[1].is_complex():
        return steps.do('mul', torch.mul, a, a)
    return steps.do('real', torch.real, steps.do('mul', torch.mul, a, steps.do('conj', torch.conj, a)))


def scaled(steps, vectors, values):
    """Each column times its value."""
    shape = [*values[1].shape[:-1], 1, values[1].shape[-1]]
    return steps.do('mul', torch.mul, vectors, steps.do('reshape', lambda v: v.reshape(shape), values, args={'shape': shape}))


def svd(steps, a):
    return steps.do('svd', lambda v: tuple(L.svd(v, full_matrices=False)), a, args={'full_matrices': False}, outputs=3)


def qr(steps, a):
    return steps.do('qr', lambda v: tuple(L.qr(v)), a, args={'mode': 'reduced'}, outputs=2)


def eigh(steps, a):
    return steps.do('eigh', lambda v: tuple(L.eigh(v)), steps.do('herm', lambda v: (v + v.mH) / 2, a), outputs=2)


def reconstruct(steps, a):
    u, s, vh = svd(steps, a)
    return product(steps, scaled(steps, u, s), vh)


def polar(steps, a):
    u, _, vh = svd(steps, a)
    return product(steps, u, vh)


def svd_function(steps, a):
    u, s, vh = svd(steps, a)
    return product(steps, scaled(steps, u, steps.do('log1p', torch.log1p, s)), vh)


def svd_invariants(steps, a):
    u, s, vh = svd(steps, a)
    return [squares(steps, u), s, squares(steps, vh)]


def svd_projector(steps, a, k):
    u, _, _ = svd(steps, a)
    shape = [*u[1].shape[:-1], k]
    kept = steps.do('slice', lambda v: v[..., :k], u, args={'start': [0] * len(shape), 'stop': shape, 'step': [1] * len(shape)})
    return product(steps, kept, adjoint(steps, kept))


def eigh_function(steps, a):
    w, v = eigh(steps, a)
    return product(steps, scaled(steps, v, steps.do('sin', torch.sin, w)), adjoint(steps, v))


def eigh_invariants(steps, a):
    w, v = eigh(steps, a)
    return [w, squares(steps, v)]


def eig_function(steps, a):
    w, v = steps.do('eig', lambda x: tuple(L.eig(x)), a, outputs=2)
    return product(steps, scaled(steps, v, steps.do('exp', torch.exp, w)), steps.do('inv', L.inv, v))


def cholesky(steps, a):
    gram = product(steps, a, adjoint(steps, a))
    one = steps.do('eye_like', lambda v: torch.eye(v.shape[-1], dtype=v.dtype).expand(v.shape), gram)
    return steps.do('cholesky', L.cholesky, steps.do('add', torch.add, gram, one))


def lu(steps, a):
    _, lower, upper = steps.do('lu', lambda v: tuple(L.lu(v)), a, outputs=3)
    return [lower, upper]


def qr_squares(steps, a):
    return [squares(steps, factor) for factor in qr(steps, a)]


def qr_projector(steps, a):
    q, _ = qr(steps, a)
    return product(steps, q, adjoint(steps, q))


def einsum(cases):
    """Equations with repeated letters, axes of 1 and ellipses; what NumPy refuses is left out."""
    draw, choices = cases.random.draw, cases.random.choices
    sizes = {letter: choices.choice([1, 2, 3]) for letter in 'abcde'}
    dtype, has_ellipsis = choices.choice(['f64', 'c128', 'f32']), choices.random() < 0.25
    hidden = [choices.choice([1, 2, 3]) for _ in range(choices.randint(0, 2))]
    terms, operands = [], []
    for _ in range(choices.choice([1, 2, 2, 3, 4])):
        letters = [choices.choice('abcde') for _ in range(choices.randint(0, 3))]
        shape, term = [sizes[letter] for letter in letters], ''.join(letters)
        if has_ellipsis and choices.random() < 0.8:
            cut = choices.randint(0, len(letters))
            own = [1 if choices.random() < 0.2 else size for size in hidden[choices.randint(0, len(hidden)):]]
            shape, term = [*shape[:cut], *own, *shape[cut:]], f'{term[:cut]}...{term[cut:]}'
        terms.append(term)
        operands.append((draw(shape, dtype), dtype))
    used = sorted({letter for letter in ''.join(terms) if letter != '.'})
    kept = ''.join(choices.sample(used, choices.randint(0, min(3, len(used)))))
    equation = f"{','.join(terms)}->{'...' if any('...' in term for term in terms) else ''}{kept}"
    try:
        np.einsum(equation, *(values for values, _ in operands))
    except ValueError:
        return
    cases.add('einsum', lambda *v: torch.einsum(equation, *v), operands, {'equation': equation}, area='einsum')
