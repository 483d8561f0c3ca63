/** Slopes on both sides of branch cuts: the sign of a zero part says on which side a number lies, for the value and for its derivatives. */
import {
  acos, acosh, asin, asinh, atan, atanh, complex, type ComplexNumber, type HostTensor, log, log10, log1p, log2, type Operand, pow, rsqrt, sqrt, tensor,
} from '@tf/core';
import { createEngineSync as createNative } from '@tf/engine-cpu-blas-native';
import { createEngineSync as createWasm } from '@tf/engine-cpu-wasm';
import { reportPresence } from '@tf/testkit';
import { jit, jvp } from '@tf/traced';
import { describe, expect, it, test } from 'vitest';
import { nativePresence } from './native-presence.testing.ts';

type F = (x: Operand) => Operand;
/** Where a cut runs: these points of the real or of the imaginary axis. */
type Cut = readonly ['real' | 'imaginary', readonly number[]];

const negative: Cut = ['real', [-0.25, -1, -7.5]];
const beyondOnes: Cut = ['real', [-30, -3, -1.25, 1.25, 3, 30]];
const belowOne: Cut = ['real', [-30, -3, -1.25, -0.5, 0.25, 0.75]];
const beyondUnits: Cut = ['imaginary', [-30, -3, -1.25, 1.25, 3, 30]];

const functions: readonly (readonly [string, F, Cut])[] = [
  ['sqrt', sqrt as F, negative], ['rsqrt', rsqrt as F, negative], ['log', log as F, negative], ['log2', log2 as F, negative], ['log10', log10 as F, negative],
  ['log1p', log1p as F, ['real', [-1.5, -3, -30]]], ['pow', (z) => pow(z, 0.3), negative],
  ['asin', asin as F, beyondOnes], ['acos', acos as F, beyondOnes], ['atan', atan as F, beyondUnits],
  ['asinh', asinh as F, beyondUnits], ['acosh', acosh as F, belowOne], ['atanh', atanh as F, beyondOnes],
];

const engines = [{ name: 'cpu-wasm', create: createWasm }, ...(reportPresence({ it }, nativePresence()) ? [{ name: 'cpu-blas-native', create: createNative }] : [])];

const off = (a: ComplexNumber, b: ComplexNumber): number => Math.hypot(a.re - b.re, a.im - b.im);

/** Central differences at t and t/2, extrapolated: off by about 1e-11. */
function differences(values: (t: number) => readonly ComplexNumber[]): readonly ComplexNumber[] {
  const at = (t: number): readonly ComplexNumber[] => {
    const [plus, minus] = [values(t), values(-t)];
    return plus.map(({ re, im }, which) => ({ re: (re - minus[which]!.re) / (2 * t), im: (im - minus[which]!.im) / (2 * t) }));
  };
  const [long, short] = [at(2e-3), at(1e-3)];
  return short.map(({ re, im }, which) => ({ re: re + (re - long[which]!.re) / 3, im: im + (im - long[which]!.im) / 3 }));
}

describe.each(engines)('on $name', ({ create }) => {
  const engine = create();
  describe.each(functions)('%s', (_, f, [axis, points]) => {
    const direction = tensor(points.map(() => (axis === 'real' ? { re: 1, im: 0 } : { re: 0, im: 1 })));
    const tangentOf = (g: F) => (x: Operand): Operand => (jvp as unknown as (g: F, at: readonly Operand[], along: readonly Operand[]) => readonly [Operand, Operand])(g, [x], [direction])[1];
    const second = tangentOf(tangentOf(f));
    const run = (g: F): ((along: readonly number[], side: number) => readonly ComplexNumber[]) => {
      // The parts arrive apart, so that no sum touches the zero that says which side it is.
      const compiled = jit(((along: Operand, side: Operand) => g(axis === 'real' ? complex(along, side) : complex(side, along))) as never, { engine }) as unknown as (a: HostTensor, b: HostTensor) => HostTensor;
      return (along, side) => compiled(tensor([...along]), tensor(along.map(() => side))).toArray() as ComplexNumber[];
    };
    const [value, slope, curvature] = [run(f), run(tangentOf(f)), run(second)];

    test.each([['above', 0], ['below', -0]])('has the slopes of its own side %s the cut', (_side, zero) => {
      const moved = (of: typeof value): readonly ComplexNumber[] => differences((t) => of(points.map((x) => x + t), zero));
      slope(points, zero).forEach((found, at) => expect(off(found, moved(value)[at]!), `slope at ${points[at]}`).toBeLessThan(1e-7));
      curvature(points, zero).forEach((found, at) => expect(off(found, moved(slope)[at]!), `second slope at ${points[at]}`).toBeLessThan(1e-6));
    });

    test('jumps across the cut', () => {
      const [above, below] = [value(points, 0), value(points, -0)];
      above.forEach((found, at) => expect(off(found, below[at]!)).toBeGreaterThan(0.1));
    });
  });
});
