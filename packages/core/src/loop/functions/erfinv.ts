import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, eq, lt, mul, neg, select, sqrt, sub } from '../scalar.ts';
import { floatFormat, polynomial, type FloatType } from './format.ts';
import { log } from './log.ts';

interface Rational {
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
}

export interface ErfinvTable {
  /** erf⁻¹(y)/y − 1 in (15/16)² − y², y ≤ 15/16: coefficients of one sign. */
  readonly near: Rational;
  /** s − erf⁻¹(y) in s = √(−log(1 − y²)), and from which s on. */
  readonly far: readonly (Rational & { readonly from: number })[];
}

/**
 * Rational minimax (Remez, 400 bits); relative errors of the results 2.83e-17 and 2.16e-8 near, 8.43e-18, 2.58e-18, 1.69e-17 and 4.59e-9
 * far.
 */
export const erfinvTables: { readonly [T in FloatType]: ErfinvTable } = {
  f64: {
    near: {
      numerator: [
        0.4049603573185394, 9.027384636015682, 73.16212877908194, 247.04022322452852, 185.41110814175943,
        -809.6961575101617, -1878.14663566622, -1362.0232318019723, -333.8809774860675, -18.705146616923045,
      ],
      denominator: [
        1, 27.375179967721106, 299.25256630684663, 1678.0519224660327, 5176.053149227082, 8793.466629941202,
        7855.205705023815, 3335.034539276713, 551.9461522029568, 22.264747555687396,
      ],
    },
    far: [
      {
        from: 1.452,
        numerator: [
          8.101400048842064e-6, 0.11372472750820917, -0.08070504922526935, 0.03713304863832111,
          -0.008777048799892502, 0.0015675352418509975, -4.688101325761467e-5, -1.3786662477208976e-5,
        ],
        denominator: [
          1, -0.7104351622796575, 0.4197695757324001, -0.1434728703183803, 0.04984096462238394,
          -0.011293449127959243, 0.0024838691016790325, -0.00024793222933551154,
        ],
      },
      {
        from: 2.505,
        numerator: [
          0.0038669033424938107, 0.09871459330641301, -0.08039565255273914, 0.03417047096542531,
          -0.005433310990529678, -1.3756916866602816e-5, 0.00018205261881099099, -3.149711225624348e-6,
        ],
        denominator: [
          1, -0.929955434525351, 0.600993107645045, -0.24505309078538445, 0.08098462741518055, -0.01643255471830089,
          0.0020521132313582164, 9.100891890147985e-6,
        ],
      },
      {
        from: 3.755,
        numerator: [
          -3.8702033475456763, 8.20048358191956, -5.626347850670029, 1.4447765803491666, -0.0494707955673921,
          -0.032226375786957966, 0.0025241807802483473, 1.0291606811845823e-5,
        ],
        denominator: [
          1, 6.039635593473347, -3.320906064752994, -1.859645882660768, 1.3847202386969435, -0.23477854816650803,
          -0.0032562222912854836, 0.0013829055984987979,
        ],
      },
    ],
  },
  f32: {
    near: {
      numerator: [
        0.4049603343009949, 2.7300431728363037, -0.012446777895092964, -11.752389907836914, -5.085641384124756,
      ],
      denominator: [1, 11.824625015258789, 39.51481628417969, 38.36074447631836, 7.1707353591918945],
    },
    far: [
      {
        from: 1.452,
        numerator: [
          0.001415417529642582, 0.10773121565580368, -0.047950997948646545, 0.013826344162225723,
          0.0010606124997138977,
        ],
        denominator: [1, -0.5130041837692261, 0.2920658588409424, -0.06805332005023956, 0.022898374125361443],
      },
    ],
  },
};

const THRESHOLD = 0.9375;

/**
 * Inverse error function. For y ≥ 0 (the sign is put back at the end), after Blair, Edwards & Johnson, Math. Comp. 30 (1976) 827:
 *
 *     y < 15/16:   y + y·near((15/16)² − y²)
 *     otherwise:   s − far(s),   s = √(−log(1 − y²)),   1 − y² = 2d − d²,   d = 1 − y exactly
 *
 * Both sums begin with what is nearly the result. ±∞ at ±1, NaN beyond.
 */
export function erfinv(args: readonly ScalarExpr[], table?: ErfinvTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'erfinv');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { near, far } = table ?? erfinvTables[format.type];
  const y = abs(args[0]!);
  const d = sub(number(1), y);
  const s = sqrt(neg(log([sub(add(d, d), mul(d, d))])));
  const gaps = far.map(({ from, ...rational }) => ({ from, gap: quotient(s, rational) }));
  const gap = gaps.reduce((before, next) => ({ from: next.from, gap: select(lt(s, number(next.from)), before.gap, next.gap) })).gap;
  const distant = select(eq(y, number(1)), number(Infinity), sub(s, gap));
  const close = add(y, mul(y, quotient(sub(number(THRESHOLD ** 2), mul(y, y)), near)));
  return copysign(select(lt(y, number(THRESHOLD)), close, distant), args[0]!);
}

function quotient(x: ScalarExpr, { numerator, denominator }: Rational): ScalarExpr {
  return div(polynomial(x, numerator), polynomial(x, denominator));
}
