import { acos, acosh, asin, atan2, atanh, cbrt, digamma, erf, erfinv, exp, expm1, floorDivide, fmod, hypot, isTfError, less, lgamma, log10, log2, logAddExp, mul, polygamma, remainder, select, square, sum, tensor, type Operand } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, hvp, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

function numbers(x: { toArray(): unknown }): readonly number[] {
  return [x.toArray()].flat(9) as number[];
}

const valuesOf = (x: Operand): readonly number[] => numbers(evaluate(x as unknown as F64, engine));

/** ∂ Σf/∂ each argument. */
function slopes(f: (...xs: readonly F64[]) => Operand, ...at: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return at.map((_, wrt) => numbers(evaluate(grad((x: F64) => sum(f(...at.map((point, i) => (i === wrt ? x : (tensor([...point]) as unknown as F64))))) as unknown as F64)(tensor([...at[wrt]!])), engine)));
}

const plain = (list: readonly (readonly number[])[]): readonly (readonly number[])[] => list.map((row) => row.map((x) => x + 0));
const [inf, nan] = [Infinity, NaN];

describe('atan2', () => {
  it('has the gradient of the angle on the axes, and 0 at the origin', () => {
    expect(plain(slopes((y, x) => atan2(y!, x!), [0, 0, 1, -1, 0, -0], [1, -1, 0, 0, 0, -0]))).toEqual([[1, -1, 0, 0, 0, 0], [0, 0, -1, 1, 0, 0]]);
  });

  it('neither overflows nor underflows in its gradient', () => {
    const [dy, dx] = slopes((y, x) => atan2(y!, x!), [3e200, 3e-200], [4e200, 4e-200]) as [readonly number[], readonly number[]];
    expect(dy[0]! / 1.6e-201).toBeCloseTo(1, 12);
    expect(dy[1]! / 1.6e199).toBeCloseTo(1, 12);
    expect(dx[0]! / -1.2e-201).toBeCloseTo(1, 12);
  });

  it('has finite second derivatives at the origin', () => {
    const f = (x: F64): F64 => sum(atan2(mul(x, 2), x)) as unknown as F64;
    expect(numbers(evaluate(hvp(f, [tensor([0, 1])], [tensor([1, 1])])[0]!, engine)).every(Number.isFinite)).toBe(true);
  });
});

describe('hypot', () => {
  it('has the subgradient 0 at the origin and the direction elsewhere', () => {
    expect(slopes((x, y) => hypot(x!, y!), [0, 3, 3e300, 0], [0, 4, 4e300, -2])).toEqual([[0, 0.6, 0.6, 0], [0, 0.8, 0.8, -1]]);
    expect(slopes((x, y) => square(hypot(x!, y!)), [0], [0])).toEqual([[0], [0]]);
  });
});

describe('remainders', () => {
  it('are exact for quotients of any size, with the sign of the dividend or of the divisor', () => {
    const [x, y] = [tensor([5.3, -5.3, 1e300, -1e300, 6, -6]), tensor([3, 3, 7, 7, -3, 3])];
    expect(valuesOf(fmod(x, y))).toEqual([5.3 % 3, -5.3 % 3, 1e300 % 7, -1e300 % 7, 0, -0]);
    expect(valuesOf(remainder(x, y))).toEqual([5.3 % 3, (-5.3 % 3) + 3, 1e300 % 7, (-1e300 % 7) + 7, -0, 0]);
  });

  it('have slope 1 and minus the quotient', () => {
    expect(slopes((x, y) => fmod(x!, y!), [5.3, -5.3, 7.1], [3, 3, -2])).toEqual([[1, 1, 1], [-1, 1, 3]]);
    expect(slopes((x, y) => remainder(x!, y!), [5.3, -5.3, 7.1], [3, 3, -2])).toEqual([[1, 1, 1], [-1, 2, 4]]);
  });

  it('of integers are those of the floor, and 0 by 0', () => {
    const [a, b] = [tensor(Int32Array.of(7, -7, 7, -7, 5, -(2 ** 31), 2 ** 31 - 1)), tensor(Int32Array.of(3, 3, -3, -3, 0, -1, 2))];
    expect(valuesOf(remainder(a, b))).toEqual([1, 2, -2, -1, 0, 0, 1]);
    expect(valuesOf(fmod(a, b))).toEqual([1, -1, 1, -1, 0, 0, 1]);
    expect(valuesOf(floorDivide(a, b))).toEqual([2, -3, -3, 2, 0, -(2 ** 31), 2 ** 30 - 1]);
  });

  it('floorDivide of floats is the floor of the exact quotient', () => {
    const [x, y] = [tensor([1, -1, 1, 6, -1, 0, -0.5]), tensor([0.1, 0.1, 0, 3, inf, -2, inf])];
    expect(valuesOf(floorDivide(x, y))).toEqual([9, -10, inf, 2, -1, -0, -1]);
  });
});

describe('logAddExp', () => {
  it('is finite where it can be, and its gradients are shares', () => {
    const [x, y] = [[-inf, inf, -inf, 3, 1000, 1], [-inf, inf, 2, -inf, 1000, 1]];
    expect(valuesOf(logAddExp(tensor(x), tensor(y)))).toEqual([-inf, inf, 2, 3, 1000 + Math.LN2, 1 + Math.LN2]);
    expect(slopes((a, b) => logAddExp(a!, b!), x, y)).toEqual([[0.5, 0.5, 0, 1, 0.5, 0.5], [0.5, 0.5, 1, 0, 0.5, 0.5]]);
  });

  it('has its second derivative where the operands are equal', () => {
    expect(numbers(evaluate(hvp((x: F64) => sum(logAddExp(x, 1)) as unknown as F64, [tensor([1])], [tensor([1])])[0]!, engine))).toEqual([0.25]);
  });
});

describe('edges of domains', () => {
  const singular: readonly (readonly [string, (x: F64) => Operand, number])[] = [
    ['asin at 1', (x) => asin(x), 1], ['acos at −1', (x) => acos(x), -1], ['acosh at 1', (x) => acosh(x), 1], ['atanh at 1', (x) => atanh(x), 1], ['cbrt at 0', (x) => cbrt(x), 0],
    ['erfinv at 1', (x) => erfinv(x), 1], ['lgamma at 0', (x) => lgamma(x), 0], ['digamma at −1', (x) => digamma(x), -1], ['log2 at 0', (x) => log2(x), 0], ['log10 below 0', (x) => log10(x), -1],
  ];

  it.each(singular)('%s: a branch not taken adds exactly 0, to any order', (_, f, at) => {
    const g = (x: F64): F64 => sum(select(less(x, 1e9), square(x), f(x))) as unknown as F64;
    expect(numbers(evaluate(grad(g)(tensor([at])), engine))).toEqual([2 * at]);
    expect(numbers(evaluate(hvp(g, [tensor([at])], [tensor([1])])[0]!, engine))).toEqual([2]);
  });

  it('slopes are infinite where the cotangent is not 0', () => {
    expect(slopes((x) => cbrt(x!), [0, 8])).toEqual([[inf, 1 / 12]]);
    expect(slopes((x) => mul(cbrt(x!), 0), [0])).toEqual([[0]]);
    expect(slopes((x) => asin(x!), [1])).toEqual([[inf]]);
  });
});

describe('expm1', () => {
  it('has the slope exp(x) to the last digits where that is small beside 1', () => {
    const at = [-30, -80, -700, 0, 2];
    slopes((x) => expm1(x!) as Operand, at)[0]!.forEach((value, i) => expect(value / Math.exp(at[i]!), `at ${at[i]}`).toBeCloseTo(1, 14));
  });
});

describe('gamma functions', () => {
  it('differentiate to polygamma of any order', () => {
    const at = [2.5, -1.5];
    const expected = [[0.7031566406452432, 0.7031566406452432], [0.4903577561002348, 9.379246644989124], [-0.23620405164172740, -0.23620405164172740]];
    [lgamma, digamma, (x: F64): Operand => polygamma(1, x)].forEach((f, order) => {
      slopes((x) => f(x!) as Operand, at)[0]!.forEach((value, i) => expect(value / expected[order]![i]!, `order ${order} at ${at[i]}`).toBeCloseTo(1, 12));
    });
    expect(valuesOf(polygamma(20, tensor([3.5])))[0]! / -9182070.204945626).toBeCloseTo(1, 12);
  });

  it('satisfy their recurrences at all orders', () => {
    for (let order = 0; order <= 20; order++) {
      const x = [0.3, 1.7, 12.25, -0.75, -3.3];
      const [here, next] = [valuesOf(polygamma(order, tensor(x))), valuesOf(polygamma(order, tensor(x.map((value) => value + 1))))];
      const factorial = Array.from({ length: order }, (_, k) => k + 1).reduce((product, k) => product * k, 1);
      x.forEach((value, at) => {
        const step = ((order % 2 === 0 ? 1 : -1) * factorial) / value ** (order + 1);
        const size = Math.max(Math.abs(here[at]!), Math.abs(step));
        expect(Math.abs(next[at]! - here[at]! - step) / size, `order ${order} at ${value}`).toBeLessThan(1e-12);
      });
    }
  });

  it('refuse orders that there are not, and the derivative of the last one with its reason', () => {
    for (const order of [-1, 21, 0.5]) expect(() => polygamma(order, tensor([1]))).toThrow(/^polygamma: order is/);
    try {
      slopes((x) => polygamma(20, x!), [1]);
      expect.unreachable();
    } catch (error) {
      expect(isTfError(error, 'UnsupportedRuleError') && error.message).toMatch(/polygamma goes up to order 20/);
    }
  });
});

describe('identities', () => {
  it('erf and erfinv undo each other, and the slope of one is that of the other', () => {
    const x = [0.1, -0.7, 1.9, 1e-300];
    valuesOf(erfinv(erf(tensor(x)))).forEach((value, at) => expect(value / x[at]!).toBeCloseTo(1, 13));
    const [slope] = slopes((y) => erfinv(y!), [0.5]);
    expect(slope![0]! / (Math.sqrt(Math.PI) / 2 * Math.exp(0.4769362762044699 ** 2))).toBeCloseTo(1, 13);
    expect(valuesOf(exp(tensor([0])))).toEqual([1]);
  });

  it('NaN in, NaN out', () => {
    const functions: readonly ((x: Operand) => unknown)[] = [acos, acosh, asin, atanh, cbrt, digamma, erfinv, lgamma, log10, log2];
    for (const f of functions) expect(valuesOf(f(tensor([nan]) as Operand) as Operand)).toEqual([nan]);
  });
});
