"""Derives the coefficient tables of the inverse functions, roots and hyperbolic functions, as fit.py does the others.

Needs mpmath. Run: python3 fit_inverse.py.
"""

import sys

from mpmath import acosh, asin, asinh, atan, atanh, cbrt, erfc, erfinv, exp, log, mpf, pi, sinh, sqrt

from fit import TINY, far, from_far, remez, show, table


def odd(f, third):
    """(f(x)/x - 1)/z in z = x**2; `third` is its value at 0."""

    def remainder(z):
        x = sqrt(z)
        return third if z < TINY else (f(x) / x - 1) / z

    return remainder, lambda z: z / (1 + z * remainder(z)) + TINY


def odd_table(title, f, third, top, degrees):
    remainder, weight = odd(f, third)
    for kind, degree in degrees:
        table(title, kind, remainder, weight, mpf(0), mpf(top[kind]), degree)


def acosh_remainder(t):
    """(acosh(1 + t)/sqrt(2t) - 1)/t"""
    return -mpf(1) / 12 if t < TINY else (acosh(1 + t) / sqrt(2 * t) - 1) / t


def inverse_error_ratio(u):
    """erfinv(y)/y - 1 in u = 0.87890625 - y**2: its poles lie at negative u, so that coefficients have one sign"""
    z = mpf('0.87890625') - u
    y = sqrt(z)
    return sqrt(pi) / 2 - 1 if z < TINY else erfinv(y) / y - 1


def inverse_error_gap(s):
    """s - erfinv(y), s = sqrt(-log(1 - y**2)); by Newton's iteration on log erfc(x), which keeps the far tail."""
    w = exp(-s * s)
    # 1 - y = w/(1 + sqrt(1 - w))
    target = log(w / (1 + sqrt(1 - w)))
    x = s
    for _ in range(60):
        tail = erfc(x)
        step = (log(tail) - target) * tail * sqrt(pi) / 2 * exp(x * x)
        x += step
        if abs(step) < mpf(10) ** -90:
            break
    return s - x


def main():
    only = sys.argv[1:]
    if not only or 'odd' in only:
        odd_table('atan', atan, -mpf(1) / 3, {'d': 1, 'f': 1}, (('d', 19), ('f', 8)))
        odd_table('asin', asin, mpf(1) / 6, {'d': '0.2501', 'f': '0.2501'}, (('d', 11), ('f', 4)))
        odd_table('sinh', sinh, mpf(1) / 6, {'d': '1.001', 'f': '1.001'}, (('d', 6), ('f', 3)))
        odd_table('asinh', asinh, -mpf(1) / 6, {'d': '0.2501', 'f': '1.001'}, (('d', 11), ('f', 7)))
        odd_table('atanh', atanh, mpf(1) / 3, {'d': '0.2501', 'f': '0.2501'}, (('d', 12), ('f', 5)))
    if not only or 'acosh' in only:
        for kind, degree in (('d', 10), ('f', 4)):
            table('acosh', kind, acosh_remainder, lambda t: t / (1 + t * acosh_remainder(t)) + TINY, mpf(0), mpf('0.5001'), degree)
    if not only or 'cbrt' in only:
        for kind, degree in (('d', 8), ('f', 3)):
            table('cbrt', kind, cbrt, lambda m: 1 / cbrt(m), mpf('0.7071'), mpf('1.4143'), degree)
    if not only or 'erfinv' in only:
        for kind, degrees in (('d', (9, 9)), ('f', (4, 4))):
            table('erfinv near', kind, inverse_error_ratio, lambda u: 1 / (1 + inverse_error_ratio(u)), -mpf('0.0001'), mpf('0.87890625'), *degrees)
        for kind, low, high, degree in (('d', '1.4516', '2.51', 7), ('d', '2.5', '3.76', 7), ('d', '3.75', '6.01', 7), ('f', '1.4516', '4.01', 4)):
            weight = lambda s: 1 / (s - inverse_error_gap(s))
            table(f'erfinv far from {low}', kind, inverse_error_gap, weight, mpf(low), mpf(high), degree, degree)


main()
