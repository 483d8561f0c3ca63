/** The normal distribution function, its density as its derivative, and gelu: in both tails, on every engine, beside values of mpmath (400 bits). */
import { type DType, gelu, type HostTensor, ndtr, type Operand, sum, tensor } from '@tf/core';
import { createEngineSync as createNative } from '@tf/engine-cpu-blas-native';
import { createEngineSync as createWasm } from '@tf/engine-cpu-wasm';
import { reportPresence } from '@tf/testkit';
import { grad, jit } from '@tf/traced';
import { describe, expect, it, test } from 'vitest';
import { nativePresence } from './native-presence.testing.ts';

/** x, Φ(x), Φ′(x), x·Φ(x), and the slope of that. Every x is a float32. */
const rows: readonly (readonly [number, number, number, number, number])[] = [
  [-38.25, 2.0795e-320, 7.96024e-319, -7.9548e-319, -3.042703e-317],
  [-37, 5.725571222524577e-300, 2.1200065515246056e-298, -2.1184613523340935e-298, -7.838298669418516e-297],
  [-30, 4.906713927148187e-198, 1.4736461348785476e-196, -1.472014178144456e-196, -4.416031690708495e-195],
  [-20.125, 2.228860638310343e-90, 4.4966030919559795e-89, -4.485582034599565e-89, -9.027125116178306e-88],
  [-13.5, 7.818807305657891e-42, 1.061268813915216e-40, -1.0555389862638154e-40, -1.4248940914798837e-39],
  [-9, 1.1285884059538405e-19, 1.0279773571668915e-18, -1.0157295653584566e-18, -9.138937373906639e-18],
  [-4.25, 1.068852577493442e-5, 4.7718636541204945e-5, -4.542623454347129e-5, -0.0001921156795251866],
  [-2, 0.02275013194817921, 0.05399096651318805, -0.04550026389635842, -0.0852318010781969],
  [-1, 0.15865525393145705, 0.24197072451914334, -0.15865525393145705, -0.0833154705876863],
  [-0.5, 0.3085375387259869, 0.35206532676429947, -0.15426876936299344, 0.13250487534383715],
  [0, 0.5, 0.3989422804014327, 0, 0.5],
  [0.5, 0.6914624612740131, 0.35206532676429947, 0.34573123063700656, 0.8674951246561629],
  [1, 0.8413447460685429, 0.24197072451914334, 0.8413447460685429, 1.0833154705876864],
  [3, 0.9986501019683699, 0.0044318484119380075, 2.99595030590511, 1.011945647204184],
  [6, 0.9999999990134123, 6.075882849823285e-9, 5.999999994080474, 1.0000000354687095],
  [8.25, 0.9999999999999999, 6.627137455968751e-16, 8.25, 1.0000000000000053],
  [12, 1, 2.1463837356630605e-32, 12, 1],
  [40, 1, 0, 40, 1],
];

const units = { float32: { place: 2 ** -23, least: 2 ** -149, bar: 2 }, float64: { place: 2 ** -52, least: 2 ** -1074, bar: 4 } } as const;
type FloatDType = keyof typeof units;

type Row = (typeof rows)[number];

/**
 * What is allowed, in units of the last place and, where results are subnormal, of the least number. Products have a rounding more, and x times one
 * of a subnormal value. The exponent −x²/2 of the density is rounded, by as many units as it has, and e^ that by its own bar.
 */
const allowed: readonly ((row: Row, bar: number) => { readonly places: number; readonly least: number; readonly size: number })[] = [
  (row, bar) => ({ places: bar, least: 1, size: row[1] }),
  ([x, , density], bar) => ({ places: bar + x * x, least: 2, size: density }),
  (row, bar) => ({ places: bar + 1, least: Math.abs(row[0]) + 2, size: Math.abs(row[3]) }),
  ([x, value, density], bar) => ({ places: bar + 1 + x * x, least: 3 * Math.abs(x) + 4, size: Math.max(value, Math.abs(x) * density) }),
];

const engines = [{ name: 'cpu-wasm', create: createWasm }, ...(reportPresence({ it }, nativePresence()) ? [{ name: 'cpu-blas-native', create: createNative }] : [])];

describe.each(engines)('on $name', ({ create }) => {
  const engine = create();
  const slopeOf = (f: (x: Operand) => Operand): ((x: HostTensor) => unknown) => grad(((x: Operand) => sum(f(x))) as never) as never;
  const functions = [ndtr, slopeOf(ndtr as never), gelu, slopeOf(gelu as never)] as readonly ((x: HostTensor) => unknown)[];
  const names = ['ndtr', 'the slope of ndtr', 'gelu', 'the slope of gelu'];

  test.each((['float64', 'float32'] as const).flatMap((dtype) => names.map((name, at) => [name, dtype, at] as const)))('%s in %s is right in both tails', (_, dtype: FloatDType & DType, at) => {
    const x = tensor(rows.map(([value]) => value), { dtype });
    const values = (jit(functions[at] as never, { engine }) as unknown as (x: HostTensor) => HostTensor)(x).toArray() as number[];
    const { place, least, bar } = units[dtype];
    const wrong = rows.flatMap((row, point) => {
      const limit = allowed[at]!(row, bar);
      const error = Math.abs(values[point]! - row[at + 1]!);
      const most = Math.max(limit.places * place * limit.size, limit.least * least);
      return error <= most ? [] : [`at ${row[0]}: ${values[point]}, not ${row[at + 1]}; ${error / most} times what is allowed`];
    });
    expect(wrong).toEqual([]);
  });
});
