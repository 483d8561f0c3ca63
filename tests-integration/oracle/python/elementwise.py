"""Elementwise operations: random arguments with derivatives, and special values."""
import numpy as np
import scipy.special
import torch

F = torch.nn.functional
SHAPES = [[], [1], [4], [2, 3], [3, 1, 2], [0], [2, 0]]
PAIRS = [([3], [3]), ([2, 3], [3]), ([2, 1, 3], [2, 3]), ([1, 3], [2, 1]), ([4, 1], [1, 3]), ([], [2, 2]), ([2, 0], [])]

# Operation: computation, bounds of the arguments, and whether they are real (r), complex (c) or both (rc).
UNARY = {
    'neg': (torch.neg, None, None, 'rc'), 'square': (torch.square, None, None, 'rc'), 'abs': (torch.abs, 0.2, 2, 'rc'),
    'sign': (torch.sgn, 0.2, 2, 'rc'), 'reciprocal': (torch.reciprocal, 0.3, 3, 'rc'), 'sqrt': (torch.sqrt, 0.2, 3, 'rc'),
    'rsqrt': (torch.rsqrt, 0.2, 3, 'rc'), 'cbrt': (lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3), 0.3, 4, 'r'),
    'exp': (torch.exp, None, None, 'rc'), 'exp2': (torch.exp2, None, None, 'r'), 'expm1': (torch.expm1, -2, 2, 'rc'),
    'log': (torch.log, 0.2, 4, 'rc'), 'log2': (torch.log2, 0.2, 4, 'r'), 'log10': (torch.log10, 0.2, 4, 'r'), 'log1p': (torch.log1p, -0.5, 3, 'rc'),
    'sin': (torch.sin, -5, 5, 'rc'), 'cos': (torch.cos, -5, 5, 'rc'), 'tan': (torch.tan, -1.2, 1.2, 'rc'),
    'asin': (torch.asin, -0.9, 0.9, 'rc'), 'acos': (torch.acos, -0.9, 0.9, 'rc'), 'atan': (torch.atan, -3, 3, 'rc'),
    'sinh': (torch.sinh, -2, 2, 'rc'), 'cosh': (torch.cosh, -2, 2, 'rc'), 'tanh': (torch.tanh, -2, 2, 'rc'),
    'asinh': (torch.asinh, -3, 3, 'rc'), 'acosh': (torch.acosh, 1.1, 4, 'rc'), 'atanh': (torch.atanh, -0.9, 0.9, 'rc'),
    'erf': (torch.erf, -2, 2, 'r'), 'erfc': (torch.erfc, -2, 3, 'r'), 'ndtr': (torch.special.ndtr, -4, 3, 'r'), 'erfinv': (torch.erfinv, -0.9, 0.9, 'r'),
    'lgamma': (torch.lgamma, 0.2, 6, 'r'), 'sigmoid': (torch.sigmoid, -4, 4, 'rc'), 'log_sigmoid': (F.logsigmoid, -4, 4, 'r'),
    'softplus': (lambda x: torch.logaddexp(x, torch.zeros_like(x)), -4, 4, 'r'), 'relu': (torch.relu, 0.1, 2, 'r'),
    'silu': (F.silu, -4, 4, 'r'), 'gelu': (F.gelu, -3, 3, 'r'), 'gelu_tanh': (lambda x: F.gelu(x, approximate='tanh'), -3, 3, 'r'),
    'real': (torch.real, None, None, 'c'), 'imag': (torch.imag, None, None, 'c'), 'conj': (torch.conj, None, None, 'c'), 'angle': (torch.angle, 0.2, 2, 'c'),
    'floor': (torch.floor, -3, 3, 'r'), 'ceil': (torch.ceil, -3, 3, 'r'), 'trunc': (torch.trunc, -3, 3, 'r'), 'round': (torch.round, -3, 3, 'r'),
}
BINARY = {
    'add': torch.add, 'sub': torch.sub, 'mul': torch.mul, 'div': torch.div, 'pow': torch.pow, 'maximum': torch.maximum, 'minimum': torch.minimum,
    'atan2': torch.atan2, 'hypot': torch.hypot, 'logaddexp': torch.logaddexp, 'fmod': torch.fmod, 'remainder': torch.remainder,
}
COMPLEX_BINARY = ('add', 'sub', 'mul', 'div', 'pow')

SPECIAL = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e308, -1e308, 1e-300, 2, -2, 0.5, -0.5, 1.5, 2.5, -2.5, 709, -745, 1e16, 3e15 + 0.5, 1 - 2**-53, 1 + 2**-52])
SPECIAL_UNARY = {
    'sqrt': np.sqrt, 'cbrt': np.cbrt, 'exp': np.exp, 'exp2': np.exp2, 'expm1': np.expm1, 'log': np.log, 'log2': np.log2, 'log10': np.log10, 'log1p': np.log1p,
    'sin': np.sin, 'cos': np.cos, 'tan': np.tan, 'asin': np.arcsin, 'acos': np.arccos, 'atan': np.arctan, 'sinh': np.sinh, 'cosh': np.cosh, 'tanh': np.tanh,
    'asinh': np.arcsinh, 'acosh': np.arccosh, 'atanh': np.arctanh, 'erf': scipy.special.erf, 'erfc': scipy.special.erfc, 'ndtr': scipy.special.ndtr, 'floor': np.floor, 'ceil': np.ceil,
    'trunc': np.trunc, 'round': np.round, 'abs': np.abs, 'reciprocal': np.reciprocal, 'square': np.square, 'isnan': np.isnan, 'isinf': np.isinf,
    'isfinite': np.isfinite, 'signbit': np.signbit, 'log_sigmoid': scipy.special.log_expit,
}
SPECIAL_BINARY = {
    'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'div': np.divide, 'pow': np.power, 'maximum': np.maximum, 'minimum': np.minimum, 'atan2': np.arctan2,
    'hypot': np.hypot, 'fmod': np.fmod, 'remainder': np.remainder, 'logaddexp': np.logaddexp, 'lt': np.less, 'eq': np.equal, 'ne': np.not_equal, 'ge': np.greater_equal,
}


def elementwise(cases):
    draw, choices = cases.random.draw, cases.random.choices
    for op, (compute, low, high, kinds) in UNARY.items():
        for dtype in (['f64', 'f32'] if 'r' in kinds else []) + (['c128', 'c64'] if 'c' in kinds else []):
            for shape in choices.sample(SHAPES, 3):
                cases.add(op, compute, [(draw(shape, dtype, low, high), dtype)])
    for op, compute in BINARY.items():
        for left, right in choices.sample(PAIRS, 4):
            dtypes = choices.choice([('f64', 'f64'), ('f32', 'f32'), ('c128', 'c128'), ('f64', 'c128'), ('c64', 'f32')])
            if op not in COMPLEX_BINARY and 'c' in dtypes[0] + dtypes[1]:
                dtypes = ('f64', 'f64')
            cases.add(op, compute, [(draw(left, dtypes[0], 0.3, 3), dtypes[0]), (draw(right, dtypes[1], 0.3, 3), dtypes[1])])
    for power in (2, 3, -1, -2, 0.5, 0, 1, 1.5):
        cases.add('pow_scalar', lambda x: torch.pow(x, power), [(draw([3], 'f64', 0.2, 2), 'f64')], {'p': power})
        cases.add('pow_scalar', lambda x: torch.pow(x, power), [(draw([3], 'c128', 0.2, 1), 'c128')], {'p': power})
    for bounds in ((-0.5, 0.5), (None, 0.3), (-0.2, None)):
        named = {name: bound for name, bound in zip(('min', 'max'), bounds) if bound is not None}
        cases.add('clamp', lambda x: torch.clamp(x, *bounds), [(draw([5], 'f64'), 'f64')], named)
    cases.add('leaky_relu', lambda x: F.leaky_relu(x, 0.1), [(draw([5], 'f64'), 'f64')], {'slope': 0.1})
    cases.add('elu', lambda x: F.elu(x, 1.3), [(draw([5], 'f64'), 'f64')], {'alpha': 1.3})


def special_values(cases):
    """Where every convention is the same: NumPy's sign and SciPy's lgamma say otherwise at −0 and −∞."""
    with np.errstate(all='ignore'):
        for op, compute in SPECIAL_UNARY.items():
            cases.values(op, [SPECIAL], compute(SPECIAL))
        left, right = np.array([(a, b) for a in SPECIAL for b in SPECIAL]).T
        for op, compute in SPECIAL_BINARY.items():
            cases.values(op, [left, right], compute(left, right), signed_zero=op not in ('maximum', 'minimum'))
