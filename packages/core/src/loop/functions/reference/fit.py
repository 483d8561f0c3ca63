"""Derives the coefficient tables of the functions: minimax approximations by the Remez exchange, in 400 bits.

Needs mpmath. Run: python3 fit.py; it prints each table as it stands in the TypeScript files, with the weighted error.
"""

import struct

from mpmath import atanh, cos, coth, erf, erfc, exp, floor, log, lu_solve, matrix, mp, mpf, nint, nstr, pi, sin, sqrt, tanh

mp.prec = 400


def horner(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def solve(f, weight, points, p_degree, q, error_signs):
    """p, q, E with w·(f − p/q) = ±E at the points; q enters the error term from the previous round."""
    n, q_degree = len(points), len(q) - 1
    a, b = matrix(n, n), matrix(n, 1)
    for row, x in enumerate(points):
        for i in range(p_degree + 1):
            a[row, i] = x**i
        for j in range(1, q_degree + 1):
            a[row, p_degree + j] = -f(x) * x**j
        a[row, n - 1] = error_signs[row] * horner(q, x) / weight(x)
        b[row] = f(x)
    s = lu_solve(a, b)
    return [s[i] for i in range(p_degree + 1)], [mpf(1)] + [s[p_degree + j] for j in range(1, q_degree + 1)]


def alternation(errors, count):
    """Indices of the largest error of each sign run, reduced from the ends to `count`."""
    extremes = []
    for i, e in enumerate(errors):
        if e == 0:
            continue
        if not extremes or (e > 0) != (errors[extremes[-1]] > 0):
            extremes.append(i)
        elif abs(e) > abs(errors[extremes[-1]]):
            extremes[-1] = i
    while len(extremes) > count:
        extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
    return extremes


def remez(f, weight, low, high, p_degree, q_degree, place=lambda u: u, rounds=25, size=700):
    """`low` and `high` are ends in the variable u in which points are spread; x = place(u)."""
    n = p_degree + q_degree + 2
    middle, half = (low + high) / 2, (high - low) / 2
    grid = [place(middle - half * cos(pi * mpf(i) / size)) for i in range(size + 1)]
    points = [grid[i * size // (n - 1)] for i in range(n)]
    values, weights = {x: f(x) for x in grid}, {x: weight(x) for x in grid}
    q, best = [mpf(1)] + [mpf(0)] * q_degree, None
    signs = [(-1) ** i for i in range(n)]
    for _ in range(rounds):
        for _ in range(5 if q_degree else 1):
            p, q = solve(values.get, weights.get, points, p_degree, q, signs)
        errors = [weights[x] * (values[x] - horner(p, x) / horner(q, x)) for x in grid]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[2]:
            best = p, q, worst
        extremes = alternation(errors, n)
        if len(extremes) < n or points == [grid[i] for i in extremes]:
            break
        points = [grid[i] for i in extremes]
    return best


TINY = mpf(10) ** -40


def exp_remainder(r):
    return mpf(1) / 2 if abs(r) < TINY else (exp(r) - 1 - r) / r**2


def exp_quotient(z):
    r = sqrt(z)
    return mpf(1) / 6 if z < TINY else (r * coth(r / 2) - 2) / z


def log_remainder(z):
    s = sqrt(z)
    return mpf(2) / 3 if z < TINY else (2 * atanh(s) - 2 * s) / (s * z)


def tanh_series(z):
    x = sqrt(z)
    return -mpf(1) / 3 if z < TINY else (tanh(x) - x) / (x * z)


def erf_series(z):
    x = sqrt(z)
    return 2 / sqrt(pi) - 1 if z < TINY else erf(x) / x - 1


def erfcx(x):
    return exp(x**2) * erfc(x)


SLOPE = mpf(27) / 16


def erfc_middle(x):
    """Between 0.97 and 1.14 for 0 <= x <= 27.3."""
    return erfcx(x) * (1 + SLOPE * x)


def erfc_slope(x):
    return SLOPE - 2 / sqrt(pi) if x < TINY else (erfc_middle(x) - 1) / x


NDTR_SLOPE = mpf(19) / 16


def ndtr_middle(x):
    """Between 0.96 and 1.15 for 0 <= x <= 38.6."""
    return exp(x**2 / 2) * erfc(x / sqrt(2)) * (1 + NDTR_SLOPE * x)


def ndtr_slope(x):
    return NDTR_SLOPE - sqrt(2 / pi) if x < TINY else (ndtr_middle(x) - 1) / x


def far(u):
    """Spreads points from 0 to far out."""
    return 2 * u / (1 - u)


def from_far(x):
    return mpf(x) / (mpf(x) + 2)


def sine_remainder(z):
    x = sqrt(z)
    return -mpf(1) / 6 if z < TINY else (sin(x) - x) / (x * z)


def cosine_remainder(z):
    return mpf(1) / 24 if z < TINY else (cos(sqrt(z)) - 1 + z / 2) / z**2


def show(name, kind, coefficients):
    rounded = [struct.unpack(kind, struct.pack(kind, float(c)))[0] for c in coefficients]
    print(f'  {name}: {rounded}')


def table(title, kind, f, weight, low, high, p_degree, q_degree=0, place=lambda u: u):
    p, q, error = remez(f, weight, low, high, p_degree, q_degree, place)
    print(f'{title} {kind}: weighted error {nstr(error, 3)}')
    show('numerator' if q_degree else 'remainder', kind, p)
    if q_degree:
        show('denominator', kind, q)


def leading(x, bits):
    """x cut to its first bits (all below 1 here), and the rest."""
    high = mpf(int(x * 2**bits)) / 2**bits
    return high, x - high


def short(x, bits):
    """x cut to its first bits as a significand."""
    unit = mpf(2) ** (int(floor(log(x, 2))) + 1 - bits)
    return floor(x / unit) * unit


def closest_angle(bits, exponents):
    """The smallest distance of m 2^e 2/pi from an integer over m < 2^bits and the exponents: m is a convergent's denominator."""
    worst = (mpf(1), 0, 0)
    for e in exponents:
        x = turns = 2 / pi * mpf(2) ** e % 1
        before, m = 0, 1
        while True:
            x = 1 / (x - floor(x))
            before, after = m, int(floor(x)) * m + before
            if after >= 2**bits:
                break
            m = after
        worst = min(worst, (abs(turns * m - nint(turns * m)), m, e))
    return worst


def angles():
    for kind, bits, multiples, width in (('d', 53, 14, 26), ('f', 24, 7, 12)):
        first = short(pi / 2, bits - multiples)
        second = short(pi / 2 - first, bits - multiples)
        show('parts', kind, (first, second, pi / 2 - first - second))
        show('halves', kind, (short(pi / 2, width), pi / 2 - short(pi / 2, width)))
    top = (mpf('1.0001') * pi / 4) ** 2
    for kind, degree in (('d', 5), ('f', 2)):
        table('sine', kind, sine_remainder, lambda z: z + TINY, mpf(0), top, degree)
        table('cosine', kind, cosine_remainder, lambda z: z**2 + TINY, mpf(0), top, degree)
    mp.prec = 2600
    print('2/pi', hex(int(2 / pi * mpf(2) ** 1216)))
    for bits, exponents in ((53, range(-38, 972)), (24, range(-17, 105))):
        distance, m, e = closest_angle(bits, exponents)
        print(f'closest to a multiple of pi/2: {m} 2^{e}, by 2^{nstr(log(distance, 2), 4)} of it')
    mp.prec = 400


def from_bits(kind, integer):
    return mpf(struct.unpack('>' + kind, struct.pack('>Q' if kind == 'd' else '>I', integer))[0])


def to_bits(kind, x):
    return struct.unpack('>Q' if kind == 'd' else '>I', struct.pack('>' + kind, float(x)))[0]


def pow_remainder(r):
    return mpf(1) / 3 if abs(r) < TINY else (log(1 + r) - r + r**2 / 2) / r**3


def powers():
    """For each of 32 steps from sqrt(1/2) the short 1/c that keeps r = z/c - 1 smallest, and log c in two parts."""
    for kind, stored, inverse_bits, log_bits, degree in (('d', 52, 8, 42, 7), ('f', 23, 7, 16, 2)):
        step, widest, inverse, high, low = 1 << (stored - 5), mpf(0), [], [], []
        for i in range(32):
            start = to_bits(kind, sqrt(mpf(1) / 2)) + i * step
            a, b = from_bits(kind, start), from_bits(kind, start + step)
            near = floor(2 / (a + b) * 2**inverse_bits)
            candidates = [mpf(1)] if a < 1 < b else [near / 2**inverse_bits, (near + 1) / 2**inverse_bits]
            reach, c = min((max(abs(a * c - 1), abs(b * c - 1)), c) for c in candidates)
            widest = max(widest, reach)
            inverse.append(c)
            high.append(nint(-log(c) * 2**log_bits) / 2**log_bits)
            low.append(-log(c) - high[-1])
        for name, values in (('inverse', inverse), ('logHigh', high), ('logLow', low)):
            show(name, kind, values)
        print('reach', nstr(widest, 4))
        table('pow', kind, pow_remainder, lambda r: mpf(1), -widest, widest, degree)


def main():
    angles()
    powers()
    for kind, bits in (('d', 42), ('f', 16)):
        show('ln2High, ln2Low', kind, leading(log(2), bits))
    for kind, degree in (('d', 9), ('f', 4)):
        table('exp', kind, exp_remainder, lambda r: abs(r) + mpf('0.005'), -mpf('0.347'), mpf('0.347'), degree)
    for kind, degree in (('d', 4), ('f', 1)):
        table('exp quotient', kind, exp_quotient, lambda z: (z + TINY) ** mpf('1.5'), mpf(0), mpf('0.347') ** 2, degree)
    for kind, degree in (('d', 6), ('f', 2)):
        table('log', kind, log_remainder, lambda z: z / 2 + TINY, mpf(0), mpf('0.02945'), degree)
    for kind, end, degree in (('d', '0.51', 8), ('f', '0.86', 5)):
        table('erf series', kind, erf_series, lambda z: 1 / (1 + erf_series(z)), mpf(0), mpf(end) ** 2, degree)
    for kind, low, high, degrees in (('d', '0.49', '5.95', (6, 7)), ('f', '0.84', '3.95', (2, 3))):
        table('erf far', kind, erfcx, lambda x: exp(-(x**2)) / erf(x), from_far(low), from_far(high), *degrees, far)
    for kind, high, p_degree in (('d', '27.3', 9), ('f', '10.1', 4)):
        ends = mpf(0), from_far(high)
        p, q, error = remez(erfc_slope, lambda x: (x + mpf(10) ** -12) / erfc_middle(x), *ends, p_degree, p_degree + 1, far)
        print(f'erfc {kind}: weighted error {nstr(error, 3)}')
        show('numerator', kind, p)
        show('denominator', kind, q)
    for kind, high, p_degree in (('d', '38.6', 9), ('f', '14.3', 4)):
        ends = mpf(0), from_far(high)
        p, q, error = remez(ndtr_slope, lambda x: (x + TINY) / ndtr_middle(x), *ends, p_degree, p_degree + 1, far)
        print(f'ndtr {kind}: weighted error {nstr(error, 3)}')
        show('numerator', kind, p)
        show('denominator', kind, q)
    for kind, degree in (('d', 9), ('f', 4)):
        table('tanh', kind, exp_remainder, lambda r: abs(r) + mpf('0.005'), mpf('-0.175'), mpf('0.521'), degree)
    table('tanh series', 'f', tanh_series, lambda z: z + TINY, mpf(0), mpf('0.16'), 3)


if __name__ == '__main__':
    main()
