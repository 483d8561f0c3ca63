"""Writes the reference values of the functions: one <function>.json for each, beside this script.

Needs mpmath. Run: python3 generate.py [function ...]. The output is deterministic. A point is "x y fraction": x and y the
bits (hex) of the argument and of the exact result rounded to the type, fraction = (exact - y) / (ulp of y), so that y and
fraction together are the result to about 10 bits beyond the type, also where it is subnormal. A point of a function of two
arguments begins with both.
"""

import json
import pathlib
import random
import struct
import sys

import mpmath

mpmath.mp.prec = 1400  # log1p and expm1 of subnormals need 1 + x exactly



def remainder(x, y):
    rest = fmod(x, y)
    return rest + y if rest != 0 and (rest < 0) != (y < 0) else rest


def fmod(x, y):
    """Exactly, in integers: both arguments are multiples of 2**-1100."""
    a, b = (int(mpmath.ldexp(v, 1100)) for v in (x, y))
    rest = abs(a) % abs(b)
    return mpmath.ldexp(mpmath.mpf(rest if a > 0 else -rest), -1100)


def narrower(f, x):
    """With 500 bits: more would take minutes."""
    with mpmath.workprec(500):
        return +f(x)


FUNCTIONS = {
    'acos': mpmath.acos,
    'acosh': mpmath.acosh,
    'asin': mpmath.asin,
    'asinh': mpmath.asinh,
    'atan': mpmath.atan,
    'atan2': mpmath.atan2,
    'atanh': mpmath.atanh,
    'cbrt': lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    'cosh': mpmath.cosh,
    'digamma': lambda x: narrower(mpmath.digamma, x),
    'erfinv': lambda x: narrower(mpmath.erfinv, x),
    'exp2': lambda x: mpmath.mpf(2) ** x,
    'fmod': fmod,
    'hypot': mpmath.hypot,
    'lgamma': lambda x: narrower(lambda v: mpmath.re(mpmath.loggamma(v)), x),
    'log10': mpmath.log10,
    'log2': lambda x: mpmath.log(x, 2),
    'logAddExp': lambda x, y: max(x, y) + mpmath.log1p(mpmath.exp(-abs(x - y))),
    'remainder': remainder,
    'sinh': mpmath.sinh,
    'cos': mpmath.cos,
    'erf': mpmath.erf,
    'erfc': mpmath.erfc,
    'ndtr': lambda x: mpmath.erfc(-max(min(x, 1000), -1000) / mpmath.sqrt(2)) / 2,
    'exp': mpmath.exp,
    'expm1': lambda x: x if x == 0 else mpmath.expm1(x),
    'log': mpmath.log,
    'log1p': lambda x: mpmath.log1p(x),
    'pow': lambda x, y: x**y,
    'rsqrt': lambda x: 1 / mpmath.sqrt(x),
    'sigmoid': lambda x: 1 / (1 + mpmath.exp(-x)),
    'sin': mpmath.sin,
    'tan': mpmath.tan,
    'tanh': mpmath.tanh,
}
# (struct codes of the float and the integer, hex digits, stored bits, largest exponent)
FORMATS = {'f32': ('>f', '>I', 8, 23, 127), 'f64': ('>d', '>Q', 16, 52, 1023)}


def from_bits(fmt, bits):
    return struct.unpack(fmt[0], struct.pack(fmt[1], bits))[0]


def to_bits(fmt, x):
    return struct.unpack(fmt[1], struct.pack(fmt[0], x))[0]


def to_format(fmt, x):
    return struct.unpack(fmt[0], struct.pack(fmt[0], x))[0]


def rounded(fmt, exact):
    """The nearest value of the format (ties cannot occur for transcendental results) and the rest in ulps of it."""
    _, _, _, stored, top = fmt
    lowest = 1 - top - stored
    exponent = lowest if exact == 0 else max(mpmath.mag(exact) - 1 - stored, lowest)
    units = mpmath.nint(mpmath.ldexp(exact, -exponent))
    value = mpmath.ldexp(units, exponent)
    if abs(value) >= mpmath.ldexp(1, top + 1):
        return (float('inf') if value > 0 else float('-inf')), 0.0
    return float(value), float(mpmath.ldexp(exact, -exponent) - units)


def regions(name, fmt):
    """(count, lowest, highest) of intervals in which arguments are drawn evenly."""
    _, _, _, stored, top = fmt
    ln2 = float(mpmath.log(2))
    overflow, underflow = (top + 1) * ln2, (1 - top - stored) * ln2
    exp_like = [(60, -1.5, 1.5), (20, overflow - 0.5, overflow + 0.5)]
    angle = [(90, -7, 7), (60, -200, 200), (50, -3e4, 3e4)]
    hyperbolic = [(110, -1.5, 1.5), (40, -20, 20), (40, overflow - 1, overflow + 1)]
    gamma = [(110, 0, 9), (40, 0.9, 2.1), (80, -6, 0), (40, -30, 0), (40, 7, 100)]
    circle = [(110, -1, 1), (40, 0.45, 0.55), (40, 0.9, 1), (20, -1, -0.9)]
    return {
        'acos': circle,
        'acosh': [(190, 1, 3), (60, 1, 1.01), (40, 1.45, 1.55), (30, 1, 100), (30, 1, 1e6), (30, 1, 1e30)],
        'asin': circle,
        'asinh': [(110, -1.5, 1.5), (40, -20, 20), (40, 0.45, 0.55)],
        'atan': [(110, -1.5, 1.5), (40, -20, 20), (40, 0.9, 1.1)],
        'atanh': circle,
        'cbrt': [(160, 0.125, 8), (50, -100, 100)],
        'cosh': hyperbolic,
        'digamma': gamma,
        'erfinv': [(110, -1, 1), (40, 0.93, 0.95), (60, 0.99, 1), (30, -1, -0.99999)],
        'exp2': [(110, -1.5, 1.5), (60, 1 - top - stored, top), (40, -top - stored - 2, 2 - top)],
        'lgamma': gamma,
        'log10': [(140, 0.4, 2.5), (40, 0.99, 1.01), (20, 0.7, 0.715), (20, 1.41, 1.42)],
        'log2': [(140, 0.4, 2.5), (40, 0.99, 1.01), (20, 0.7, 0.715), (20, 1.41, 1.42)],
        'sinh': hyperbolic,
        'cos': angle,
        'erf': [(80, -1, 1), (40, 0.9, 1.2), (60, -6, 6), (30, 0, 0.1)],
        'erfc': [(90, -1, 1.2), (80, 0.8, 27.3 if top > 127 else 10.1), (40, *((26.4, 27.3) if top > 127 else (9.1, 10.1)))],
        'ndtr': [(60, -2, 2), (40, 0, 6), (90, -38.6 if top > 127 else -14.3, 0), (40, *((-38.6, -37.4) if top > 127 else (-14.3, -13)))],
        'exp': [(100, underflow - 1, overflow), (40, underflow - 2, (2 - top) * ln2), *exp_like],
        'expm1': [(70, -45, overflow), (70, -3, 4), *exp_like],
        'log': [(140, 0.4, 2.5), (40, 0.99, 1.01), (20, 0.7, 0.715), (20, 1.41, 1.42)],
        'log1p': [(140, -1, 3), (40, -0.01, 0.01), (20, -0.3, -0.29), (20, 0.41, 0.42)],
        'rsqrt': [(160, 1, 4), (50, 0, 100)],
        'sigmoid': [(90, -3, 3), (60, -40, 40), (60, underflow - 1, (2 - top) * ln2)],
        'sin': angle,
        'tan': angle,
        'tanh': [(110, -1, 1), (60, 0.5, 0.6), (50, -22, 22)],
    }[name]


def near_quarter_turns(random_source):
    """Multiples of pi/2, rounded, and the arguments of f64 and f32 that come nearest to one (fit.py, closest_angle)."""
    multiples = [float(random_source.randrange(1, 2**20) * mpmath.pi / 2) for _ in range(20)]
    return multiples + [k * float(mpmath.pi / 2) for k in range(-4, 5)] + [6381956970095103 * 2.0**797, 16367173 * 2.0**72]


def near_zeros_of_digamma(stored, random_source):
    """-a with pi cot(pi a) = -digamma(1 + a), and what lies up to a quarter beside it: both terms are as large as 36 there."""
    xs = []
    for i in range(80):
        n = i if i < 10 else int(2 ** random_source.uniform(3, stored - 4))
        a = mpmath.mpf(n) + 0.5
        for _ in range(12):
            a = n + mpmath.atan2(mpmath.pi, -FUNCTIONS['digamma'](1 + a)) / mpmath.pi
        xs += [-float(a)] + [-float(a) + random_source.choice((-1, 1)) * 2 ** random_source.uniform(-12, -2) for _ in range(2)]
    return xs


def in_domain(name, x):
    if name in ('lgamma', 'digamma'):
        return x > 0 or x != int(x)
    if name in ('asin', 'acos', 'atanh', 'erfinv'):
        return abs(x) < 1
    if name == 'acosh':
        return x > 1
    return x > 0 if name in ('log', 'log10', 'log2', 'rsqrt') else x > -1 if name == 'log1p' else True


def arguments(name, fmt, random_source):
    _, _, _, stored, top = fmt
    infinity = to_bits(fmt, float('inf'))
    sign = 1 << (infinity.bit_length())
    subnormals = 1 << stored
    xs = [from_bits(fmt, random_source.randrange(infinity) | random_source.choice((0, sign))) for _ in range(120)]
    xs += [from_bits(fmt, random_source.randrange(subnormals) | random_source.choice((0, sign))) for _ in range(30)]
    xs += [from_bits(fmt, bits) for bits in (1, 2, subnormals - 1, subnormals, infinity - 1, sign | 1, sign | (infinity - 1))]
    xs += [random_source.choice((-1, 1)) * 2 ** random_source.uniform(-stored - 4, 11) for _ in range(90)]
    for count, low, high in regions(name, fmt):
        xs += [random_source.uniform(low, high) for _ in range(count)]
    xs += [float(2.0**k) for k in range(-12, 13)] + [1 + 2.0**-stored, 1 - 2.0 ** (-stored - 1), 0.55, float(mpmath.log(2) / 2)]
    if name == 'digamma':
        xs += near_zeros_of_digamma(stored, random_source)
    if name in ('sin', 'cos', 'tan'):
        xs += [x for x in near_quarter_turns(random_source) if x < 2.0**top]
    return sorted({to_format(fmt, x) for x in xs if in_domain(name, x) and x != 0 and not is_near_zero(name, x)})


def is_near_zero(name, x):
    """Where lgamma is a difference of larger terms and its error is counted in units of those."""
    if name == 'lgamma':
        return x in (1, 2) or x < 0 and abs(FUNCTIONS[name](mpmath.mpf(x))) < 1
    return False


def pairs(fmt, random_source):
    """Arguments of pow: mostly bases with an exponent that takes the result anywhere from below the range to above."""
    _, _, _, stored, top = fmt
    uniform = random_source.uniform
    xs = [from_bits(fmt, random_source.randrange(1, to_bits(fmt, float('inf')))) for _ in range(90)]
    xs += [from_bits(fmt, random_source.randrange(1, 1 << stored)) for _ in range(30)]
    xs += [uniform(0.5, 2) for _ in range(50)] + [1 + uniform(-1, 1) * 2 ** uniform(-stored, -3) for _ in range(40)]
    xs += [uniform(1.0075, 1.0085) for _ in range(20)]
    xs = [x for x in (to_format(fmt, x) for x in xs) if x != 1]
    ln2 = mpmath.log(2)
    points = [(x, float(uniform(1 - top - stored - 2, top + 1) * ln2 / mpmath.log(x))) for x in xs]
    points += [(uniform(0, 20), uniform(-4, 4)) for _ in range(50)] + [(uniform(0, 9), uniform(-1, 1) * 2 ** uniform(-60, -10)) for _ in range(15)]
    points += [(-uniform(0, 9), float(random_source.randrange(-40, 41))) for _ in range(30)]
    points += [(float(random_source.randrange(-12, 13)), float(random_source.randrange(1, 7))) for _ in range(20)]
    points = {(to_format(fmt, x), to_format(fmt, y)) for x, y in points if abs(y) < 2.0**top}
    return sorted(p for p in points if p[0] != 0)


def operands(name, fmt, random_source):
    """Arguments of the other functions of two: anywhere, with a ratio that counts, and of moderate size."""
    uniform = random_source.uniform
    infinity, signs = to_bits(fmt, float('inf')), (-1, 1)
    anywhere = lambda: random_source.choice(signs) * from_bits(fmt, random_source.randrange(1, infinity))
    moderate = lambda: random_source.choice(signs) * 2 ** uniform(-8, 8)
    points = [(anywhere(), anywhere()) for _ in range(120)] + [(moderate(), moderate()) for _ in range(150)]
    low, high = (-70, 2) if name in ('fmod', 'remainder') else (-9, 9)
    points += [(x, moderate() / abs(moderate()) * x * 2 ** uniform(low, high)) for x in (anywhere() for _ in range(80))]
    points += [(uniform(-20, 20), uniform(-20, 20)) for _ in range(80)]
    values = sorted({(to_format(fmt, x), to_format(fmt, y)) for x, y in points if max(abs(x), abs(y)) < 2.0 ** fmt[4]})
    values = [(x, y) for x, y in values if x != 0 and y != 0 and not (name == 'logAddExp' and cancels(x, y))]
    # The sign of a result that is rounded to 0 is lost here.
    return [(x, y) for x, y in values if rounded(fmt, FUNCTIONS[name](mpmath.mpf(x), mpmath.mpf(y)))[0] != 0]


def cancels(x, y):
    """Whether the result is much smaller than the larger operand, or the smaller does not count."""
    value = FUNCTIONS['logAddExp'](mpmath.mpf(x), mpmath.mpf(y))
    return abs(value) < abs(max(x, y)) / 2


def point(name, fmt, *xs):
    value, fraction = rounded(fmt, FUNCTIONS[name](*map(mpmath.mpf, xs)))
    digits = fmt[2]
    return ' '.join([*(f'{to_bits(fmt, x):0{digits}x}' for x in (*xs, value)), f'{fraction:.3f}'])


def points_of(name, fmt, random_source):
    if name == 'pow':
        return [point(name, fmt, x, y) for x, y in pairs(fmt, random_source)]
    if name in ('atan2', 'fmod', 'hypot', 'logAddExp', 'remainder'):
        return [point(name, fmt, x, y) for x, y in operands(name, fmt, random_source)]
    return [point(name, fmt, x) for x in arguments(name, fmt, random_source) if in_domain(name, x)]


def main():
    for name in sys.argv[1:] or FUNCTIONS:
        random_source = random.Random(name)
        points = {t: points_of(name, fmt, random_source) for t, fmt in FORMATS.items()}
        target = pathlib.Path(__file__).with_name(f'{name}.json')
        target.write_text(json.dumps(points, indent=0) + '\n')


main()
