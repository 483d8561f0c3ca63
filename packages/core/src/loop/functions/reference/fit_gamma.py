"""Derives the coefficient tables of the gamma functions, as fit.py does the others.

Needs mpmath. Run: python3 fit_gamma.py.
"""

from mpmath import cos, cot, digamma, euler, log, loggamma, mp, mpf, nstr, pi, sin, sqrt

from fit import TINY, remez, show, table

ONE_OFF = mpf(10) ** -30


def log_gamma(x):
    return loggamma(x).real


def between_zeros(t):
    """lgamma(1 + t)/(t(t - 1))"""
    if t < ONE_OFF:
        return +euler
    return 1 - euler if abs(t - 1) < ONE_OFF else log_gamma(1 + t) / (t * (t - 1))


def stirling(v):
    """x(lgamma(x) - (x - 1/2)(log x - 1) - (log 2 pi - 1)/2) in v = 1/x**2"""
    if v < ONE_OFF:
        return mpf(1) / 12
    x = 1 / sqrt(v)
    return x * (log_gamma(x) - (x - mpf(1) / 2) * (log(x) - 1) - (log(2 * pi) - 1) / 2)


def digamma_rest(v):
    """(log x - 1/(2x) - digamma(x))/v in v = 1/x**2"""
    if v < ONE_OFF:
        return mpf(1) / 12
    x = 1 / sqrt(v)
    return (log(x) - 1 / (2 * x) - digamma(x)) / v


def reflected_rest(v):
    """(digamma(1/2 + y) - log y)/v in v = 1/y**2"""
    if v < ONE_OFF:
        return mpf(1) / 24
    y = 1 / sqrt(v)
    return (digamma(y + mpf(1) / 2) - log(y)) / v


def cotangent_of_turns(z):
    """((1/r - pi cot(pi r))/r - pi**2/3)/z in z = r**2"""
    r = sqrt(z)
    return pi**4 / 45 if z < TINY else ((1 / r - pi * cot(pi * r)) / r - pi**2 / 3) / z


def sine_of_turns(z):
    """(sin(pi r)/(pi r) - 1)/z in z = r**2"""
    r = pi * sqrt(z)
    return -(pi**2) / 6 if z < TINY else (sin(r) / r - 1) / z


def cosine_of_turns(z):
    """(cos(pi r) - 1)/z in z = r**2"""
    return -(pi**2) / 2 if z < TINY else (cos(pi * sqrt(z)) - 1) / z


def split(title, kind, f, weight, base, degrees):
    """f = base + numerator/denominator: the quotient's rounding errors count less than they would for f itself."""
    p, q, error = remez(f, weight, mpf(0), mpf(7), *degrees)
    print(f'{title} {kind}: weighted error {nstr(error, 3)}')
    show('numerator', kind, [a - base * b for a, b in zip(p, q)])
    show('denominator', kind, q)


def main():
    for kind, degrees in (('d', (8, 6)), ('f', (4, 3))):
        table('sine of turns', kind, sine_of_turns, lambda z: z / (1 + z * sine_of_turns(z)) + TINY, mpf(0), mpf('0.2501'), degrees[0] - 1)
        table('cosine of turns', kind, cosine_of_turns, lambda z: z + TINY, mpf(0), mpf('0.06251'), degrees[1] - 1)
    mp.prec = 500
    for kind, degree in (('d', 5), ('f', 1)):
        table('stirling', kind, stirling, lambda v: sqrt(v) / 8 + TINY, mpf(0), mpf(1) / 64, degree)
    for kind, degree in (('d', 6), ('f', 1)):
        table('digamma far', kind, digamma_rest, lambda v: v / mpf('1.7') + TINY, mpf(0), mpf(1) / 36, degree)
    for kind, rest, cotangent in (('d', (10, 10), (3, 3)), ('f', (4, 4), (2, 1))):
        table('digamma reflected', kind, reflected_rest, lambda v: v + TINY, mpf(0), mpf(4), *rest)
        table('cotangent of turns', kind, cotangent_of_turns, lambda z: z * sqrt(z) + TINY, mpf(0), mpf(1) / 4, *cotangent)
    for kind, degrees in (('d', (9, 9)), ('f', (5, 5))):
        split('lgamma', kind, between_zeros, lambda t: 1 / between_zeros(t), mpf('0.203125'), degrees)
        split('digamma', kind, lambda t: digamma(1 + t), lambda t: 1 / max(abs(digamma(1 + t)), mpf(1) / 4), mpf('0.40625'), degrees)


main()
