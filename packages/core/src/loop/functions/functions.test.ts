import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isTfError } from '../../errors.ts';
import type { ScalarExpr } from '../../types/loop-language.ts';
import { evaluateScalar } from '../evaluate.ts';
import { nodesInOrder, rewriteNodes } from '../order.ts';
import { add, argument, call, constant, convert, div, lookup, mul, neg, sqrt, sub } from '../scalar.ts';
import { expandAllCalls, expandCalls, functions } from './catalog.ts';
import { angleTables, type AngleTable } from './angle.ts';
import { cos } from './cos.ts';
import { erf, erfTables } from './erf.ts';
import { erfc, erfcTables } from './erfc.ts';
import { exp, expTables } from './exp.ts';
import { log, logTables } from './log.ts';
import { ndtr, ndtrTables } from './ndtr.ts';
import { pow } from './pow.ts';
import { powTables, type PowTable } from './pow-tables.ts';
import { sigmoid } from './sigmoid.ts';
import { sin } from './sin.ts';
import { tan } from './tan.ts';
import { tanh, tanhTables } from './tanh.ts';
import { inverseSpecials, inverseTwins, pairSpecials, perturbed, type Twins } from './functions.testing.ts';
import type { FloatType } from './format.ts';

const types: readonly FloatType[] = ['f32', 'f64'];
const names = Object.keys(functions);

/** Largest admitted error in ulps of f32 and f64: below the bars of performance.md (2 and 4), so that a loss of quality is seen early. */
const bars: { readonly [name: string]: readonly [number, number] } = {
  digamma: [2.8, 2.8], erfinv: [1.9, 2], lgamma: [2.6, 2.6], acos: [1.5, 1.5], asin: [1.8, 1.8], asinh: [1.5, 2.5], atan: [1.5, 1.8], atan2: [1.7, 1.8], logAddExp: [1.8, 1.8],
  cos: [1.8, 1.8], erf: [1.5, 2.5], erfc: [1.9, 2.9], ndtr: [1.9, 2.9], sigmoid: [1.8, 1.8], sin: [1.8, 1.8], tan: [1.8, 1.8], tanh: [1.5, 2.5],
};
const barOf = (name: string, type: FloatType): number => bars[name]?.[type === 'f32' ? 0 : 1] ?? 1.5;

interface ReferencePoint {
  /** The arguments. */
  readonly xs: readonly number[];
  /** Bits of the correctly rounded result, on the line where neighbours differ by 1. */
  readonly ordinal: bigint;
  /** exact − rounded, in ulps. */
  readonly fraction: number;
}

function fromBits(type: FloatType, bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f64') view.setBigUint64(0, bits);
  else view.setUint32(0, Number(bits));
  return type === 'f64' ? view.getFloat64(0) : view.getFloat32(0);
}

/** Position of a value among all values of its type. */
function ordinal(type: FloatType, value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f64') view.setFloat64(0, Math.abs(value));
  else view.setFloat32(0, Math.abs(value));
  const magnitude = type === 'f64' ? view.getBigInt64(0) : BigInt(view.getInt32(0));
  return value < 0 ? -magnitude : magnitude;
}

function readReference(name: string, type: FloatType): readonly ReferencePoint[] {
  const text = readFileSync(new URL(`./reference/${name}.json`, import.meta.url), 'utf8');
  const points = (JSON.parse(text) as Record<FloatType, readonly string[]>)[type];
  return points.map((point) => {
    const words = point.split(' ');
    const values = words.slice(0, -1).map((bits) => fromBits(type, BigInt(`0x${bits}`)));
    return { xs: values.slice(0, -1), ordinal: ordinal(type, values.at(-1)!), fraction: Number(words.at(-1)) };
  });
}

/** The distance of a value from a point's, where a magnitude below 1 counts as 1. */
function errorBeside1(type: FloatType, value: number, point: ReferencePoint): number {
  const bits = point.ordinal < 0n ? -point.ordinal : point.ordinal;
  const magnitude = fromBits(type, bits);
  const place = fromBits(type, bits + 1n) - magnitude;
  const rounded = point.ordinal < 0n ? -magnitude : magnitude;
  return Math.abs(value - rounded - point.fraction * place) / Math.max(place, type === 'f64' ? 2 ** -52 : 2 ** -23);
}

/** The worst error over the reference points, in ulps of the value, or of max(|value|, 1), and where. A NaN counts as infinitely wrong. */
function worstError(expr: ScalarExpr, type: FloatType, points: readonly ReferencePoint[], isBeside1 = false): { readonly ulps: number; readonly at: string } {
  let worst = { ulps: 0, at: '' };
  for (const point of points) {
    const value = evaluateScalar(expr, (input) => point.xs[input]!) as number;
    const inPlaces = (): number => Math.abs(Number(ordinal(type, value) - point.ordinal) - point.fraction);
    const isSmall = isBeside1 && Math.abs(value) < 1;
    const ulps = Number.isNaN(value) ? Infinity : isSmall ? errorBeside1(type, value, point) : inPlaces();
    if (ulps > worst.ulps) worst = { ulps, at: point.xs.join(', ') };
  }
  return worst;
}

function functionOf(name: string, type: FloatType): ScalarExpr {
  return expandCalls(call(name, type, ...Array.from({ length: functions[name]!.arity }, (_, input) => argument(type, input))));
}

function valueAt(name: string, type: FloatType, ...xs: readonly number[]): number {
  return evaluateScalar(functionOf(name, type), (input) => xs[input]!) as number;
}

describe.each(types)('functions in %s', (type) => {
  it.each(names)('%s is within its bar of values computed to 1400 bits', (name) => {
    const points = readReference(name, type);
    expect(points.length).toBeGreaterThan(300);
    const worst = worstError(functionOf(name, type), type, points, name === 'digamma');
    expect(worst.ulps, `${name} ${type}: ${worst.ulps.toFixed(3)} ulp at ${worst.at}`).toBeLessThan(barOf(name, type));
    console.log(`${name} ${type}: worst ${worst.ulps.toFixed(3)} ulp at ${worst.at} (${points.length} points)`);
  });

  const specials: readonly (readonly [string, number, number])[] = [
    ...inverseSpecials,
    ['cos', 0, 1], ['cos', -0, 1], ['cos', Infinity, NaN], ['cos', -Infinity, NaN], ['cos', NaN, NaN], ['cos', 2 ** -140, 1],
    ['erf', 0, 0], ['erf', -0, -0], ['erf', Infinity, 1], ['erf', -Infinity, -1], ['erf', NaN, NaN], ['erf', 1e30, 1], ['erf', -7, -1],
    ['erfc', 0, 1], ['erfc', -0, 1], ['erfc', Infinity, 0], ['erfc', -Infinity, 2], ['erfc', NaN, NaN], ['erfc', 1e30, 0], ['erfc', -1e30, 2],
    ['erfc', 2 ** -70, 1], ['erfc', 28, 0],
    ['ndtr', 0, 0.5], ['ndtr', -0, 0.5], ['ndtr', Infinity, 1], ['ndtr', -Infinity, 0], ['ndtr', NaN, NaN], ['ndtr', 1e30, 1], ['ndtr', -1e30, 0], ['ndtr', -39, 0],
    ['exp', -Infinity, 0], ['exp', Infinity, Infinity], ['exp', NaN, NaN], ['exp', 0, 1], ['exp', -0, 1],
    ['exp', 1e30, Infinity], ['exp', -1e30, 0],
    ['expm1', -Infinity, -1], ['expm1', Infinity, Infinity], ['expm1', NaN, NaN], ['expm1', 0, 0], ['expm1', -0, -0], ['expm1', 1e30, Infinity],
    ['log', 0, -Infinity], ['log', -0, -Infinity], ['log', -1, NaN], ['log', -Infinity, NaN], ['log', -1e-40, NaN],
    ['log', Infinity, Infinity], ['log', NaN, NaN], ['log', 1, 0],
    ['log1p', -1, -Infinity], ['log1p', -2, NaN], ['log1p', -Infinity, NaN], ['log1p', Infinity, Infinity], ['log1p', NaN, NaN],
    ['log1p', 0, 0], ['log1p', -0, -0],
    ['rsqrt', 0, Infinity], ['rsqrt', -0, -Infinity], ['rsqrt', Infinity, 0], ['rsqrt', -1, NaN], ['rsqrt', -Infinity, NaN], ['rsqrt', NaN, NaN],
    ['rsqrt', 2 ** -126, 2 ** 63], ['rsqrt', 2 ** -148, 2 ** 74],
    ['sigmoid', 0, 0.5], ['sigmoid', -0, 0.5], ['sigmoid', Infinity, 1], ['sigmoid', -Infinity, 0], ['sigmoid', NaN, NaN], ['sigmoid', 1e30, 1],
    ['sigmoid', -1e30, 0], ['sigmoid', 50, 1],
    ['sin', 0, 0], ['sin', -0, -0], ['sin', Infinity, NaN], ['sin', -Infinity, NaN], ['sin', NaN, NaN], ['sin', -(2 ** -140), -(2 ** -140)],
    ['tan', 0, 0], ['tan', -0, -0], ['tan', Infinity, NaN], ['tan', -Infinity, NaN], ['tan', NaN, NaN], ['tan', 2 ** -140, 2 ** -140],
    ['tanh', 0, 0], ['tanh', -0, -0], ['tanh', Infinity, 1], ['tanh', -Infinity, -1], ['tanh', NaN, NaN], ['tanh', 1e30, 1], ['tanh', -50, -1],
  ];
  it.each(specials)('%s(%d) is exactly %d', (name, x, expected) => {
    expect(valueAt(name, type, x)).toBe(expected);
  });

  const [inf, nan, big] = [Infinity, NaN, type === 'f64' ? 2 ** 53 - 1 : 2 ** 24 - 1];
  const powers: readonly (readonly [number, number, number])[] = [
    [nan, 0, 1], [nan, -0, 1], [inf, 0, 1], [0, 0, 1], [-0, -0, 1], [-5, 0, 1], [1, nan, 1], [1, inf, 1], [1, -inf, 1], [-1, inf, 1], [-1, -inf, 1],
    [nan, 1, nan], [2, nan, nan], [-1, nan, nan], [0, nan, nan], [nan, inf, nan], [-2, 0.5, nan], [-1e-30, 1.5, nan], [-8, 1 / 3, nan],
    [0, 3, 0], [0, 0.5, 0], [0, inf, 0], [0, -3, inf], [0, -0.5, inf], [0, -inf, inf],
    [-0, 3, -0], [-0, 2, 0], [-0, 0.5, 0], [-0, inf, 0], [-0, -3, -inf], [-0, -2, inf], [-0, -0.5, inf], [-0, -inf, inf], [-0, big, -0], [-0, big + 1, 0],
    [0.5, inf, 0], [-0.5, inf, 0], [0.5, -inf, inf], [-0.5, -inf, inf], [2, inf, inf], [-2, inf, inf], [2, -inf, 0], [-2, -inf, 0],
    [inf, 2, inf], [inf, 0.5, inf], [inf, -2, 0], [inf, inf, inf], [inf, -inf, 0],
    [-inf, 3, -inf], [-inf, 2, inf], [-inf, 0.5, inf], [-inf, -3, -0], [-inf, -2, 0], [-inf, -0.5, 0], [-inf, inf, inf], [-inf, -inf, 0],
    [-1, big, -1], [-1, big + 1, 1], [-2, 3, -8], [-2, -3, -0.125], [3, 4, 81], [10, 2, 100], [2, 127, 2 ** 127], [2, -149, 2 ** -149],
    [-2, 1e30, inf], [-1.5, -1e30, 0], [-3, 1001, -inf], [-3, -1001, -0], [1.5, 1, 1.5], [2 ** -140, 1, 2 ** -140], [2 ** -140, -0.5, 2 ** 70],
  ];
  it.each(pairSpecials)('%s(%d, %d) is exactly %d', (name, x, y, expected) => {
    expect(valueAt(name, type, x, y)).toBe(expected);
  });

  it.each(powers)('pow(%d, %d) is exactly %d', (x, y, expected) => {
    expect(valueAt('pow', type, x, y)).toBe(expected);
  });

  it.each(names)('%s uses only operations that SIMD has for both widths', (name) => {
    const simd = ['argument', 'constant', 'add', 'sub', 'mul', 'div', 'neg', 'abs', 'sqrt', 'nearest', 'floor', 'copysign', 'and', 'or', 'xor', 'not', 'shl', 'shrU', 'eq', 'lt', 'select', 'bitcast'];
    for (const node of nodesInOrder([functionOf(name, type)])) {
      // The index of a table is the low half of a lane; SIMD emitters take it out of the vector.
      if (node.op === 'lookup') continue;
      if (node.op === 'convert' && node.type === 'i32' && node.args[0].type === 'i64') continue;
      expect(simd).toContain(node.op);
      if (node.op === 'shl' || node.op === 'shrU') expect(node.args[1].op).toBe('constant');
    }
  });

  /** Bounds on the number of nodes, constants included, so that a function's cost does not grow unnoticed. */
  const sizes: { readonly [name: string]: number } = {
    digamma: 500, erfinv: 315, lgamma: 505,
    acosh: 135, asinh: 135, atan2: 110, atanh: 135, cbrt: 115, exp: 102, logAddExp: 204, fmod: 900, remainder: 915,
    cos: 180, erf: 145, erfc: 160, ndtr: 160, pow: 240, sin: 182, tan: 210,
  };
  it.each(names)('%s: its shortcuts change no bit where they are taken', (name) => {
    const shortcuts = nodesInOrder([functionOf(name, type)]).filter((node): node is Extract<ScalarExpr, { op: 'select' }> => node.op === 'select' && node.shortcut === true);
    for (const { args: [isExtreme, value, quick] } of shortcuts) {
      let taken = 0;
      for (let i = -4000; i <= 4000; i++) {
        const x = Math.sign(i) * 2 ** (Math.abs(i) / 250 - 6 + (i % 7) * 1e-3);
        const read = (): number => x;
        if (evaluateScalar(isExtreme, read) === true) continue;
        taken++;
        expect(evaluateScalar(quick, read), `${name}(${x})`).toBe(evaluateScalar(value, read));
      }
      expect(taken).toBeGreaterThan(4000);
    }
  });

  it.each(names)('%s stays within its number of nodes', (name) => {
    expect(nodesInOrder([functionOf(name, type)]).length).toBeLessThan(sizes[name] ?? 95);
  });
});

describe('planted faults', () => {
  const wrongAngles = (type: FloatType): readonly AngleTable[] => {
    const table = angleTables[type];
    const [first, second] = table.parts;
    return [
      { ...table, sine: perturbed(table.sine, 0, type) },
      { ...table, cosine: perturbed(table.cosine, 0, type) },
      { ...table, parts: [first, second, 0] },
      { ...table, halves: [table.halves[0], 0] },
      { ...table, limit: table.limit * 1e4 },
    ];
  };
  const twins: Twins = {
    ...inverseTwins,
    cos: (x, type) => wrongAngles(type).map((table) => cos([x], table)),
    erf: (x, type) => {
      const table = erfTables[type];
      return [
        erf([x], { ...table, series: perturbed(table.series, 1, type) }),
        erf([x], { ...table, numerator: perturbed(table.numerator, 1, type) }),
        erf([x], { ...table, denominator: perturbed(table.denominator, 2, type) }),
        erf([x], { ...table, threshold: 2 * table.threshold }),
        erf([x], { ...table, high: table.high / 1.2 }),
      ];
    },
    erfc: (x, type) => {
      const table = erfcTables[type];
      return [
        erfc([x], { ...table, numerator: perturbed(table.numerator, 1, type) }),
        erfc([x], { ...table, denominator: perturbed(table.denominator, 1, type) }),
        erfc([x], { ...table, high: table.high - 0.5 }),
        erfc([x], { ...table, step: type === 'f64' ? 2 ** -52 : 2 ** -23 }),
        sub(constant(type, 1), erf([x])),
      ];
    },
    ndtr: (x, type) => {
      const table = ndtrTables[type];
      return [
        ndtr([x], { ...table, numerator: perturbed(table.numerator, 1, type) }),
        ndtr([x], { ...table, denominator: perturbed(table.denominator, 1, type) }),
        ndtr([x], { ...table, high: table.high - 0.5 }),
        ndtr([x], { ...table, step: type === 'f64' ? 2 ** -52 : 2 ** -23 }),
        ndtr([x], { ...table, slope: 1.2 }),
        // The quotient is rounded.
        mul(erfc([mul(x, constant(type, -Math.SQRT1_2))]), constant(type, 0.5)),
      ];
    },
    exp: (x, type) => {
      const table = expTables[type];
      return [
        exp([x], { ...table, quotient: perturbed(table.quotient, 0, type) }),
        exp([x], { ...table, quotient: table.quotient.map((c, i) => (i === 1 ? 1.1 * c : c)) }),
      ];
    },
    log: (x, type) => [log([x], { ...logTables[type], remainder: perturbed(logTables[type].remainder, 0, type) })],
    pow: (x, type) => {
      const table = powTables[type];
      const wrong: readonly PowTable[] = [
        { ...table, remainder: perturbed(table.remainder, 0, type) },
        { ...table, logLow: table.logLow.map(() => 0) },
        { ...table, inverse: table.inverse.map((c, i) => (i === 18 ? c * (1 + 2 ** -8) : c)) },
        { ...table, width: table.width - 6 },
        { ...table, bound: table.bound / 2 },
        { ...table, largest: 100 },
      ];
      const y = argument(type, 1);
      return [...wrong.map((t) => pow([x, y], t)), exp([mul(y, log([x]))])];
    },
    // √(1/x) overflows for small subnormal x.
    rsqrt: (x, type) => [sqrt(div(constant(type, 1), x))],
    sigmoid: (x, type) => [
      sigmoid([x], { ...expTables[type], remainder: perturbed(expTables[type].remainder, 1, type) }),
      // e^−x overflows where the result is still positive, though 2^−k·(…) is not 0.
      div(constant(type, 1), add(constant(type, 1), exp([neg(x)]))),
    ],
    sin: (x, type) => wrongAngles(type).map((table) => sin([x], table)),
    tan: (x, type) => wrongAngles(type).map((table) => tan([x], table)),
    tanh: (x, type) => {
      const table = tanhTables[type];
      const wrong = tanh([x], { ...table, remainder: perturbed(table.remainder, 1, type) });
      const short = tanh([x], { ...table, high: table.high / 4 });
      return type === 'f64' ? [wrong, short] : [wrong, short, tanh([x], { ...table, series: perturbed(table.series, 0, type) })];
    },
  };
  const cases = Object.keys(twins).flatMap((name) => types.map((type) => [name, type] as const));
  it.each(cases)('%s in %s: every wrong twin breaks the bar', (name, type) => {
    const points = readReference(name, type);
    const errors = twins[name]!(argument(type, 0), type).map((expr) => worstError(expr, type, points, name === 'digamma').ulps);
    for (const [i, ulps] of errors.entries()) expect(ulps, `${name}, twin ${i}`).toBeGreaterThan(barOf(name, type));
  });

  it('takes the digits of 2/π for huge angles: one wrong digit is seen', () => {
    for (const type of types) {
      const wrong = rewriteNodes([functionOf('sin', type)], (node) => (node.op === 'lookup' ? { ...node, table: node.table.map((v, i) => (i === 3 ? -v : v)) } : node))[0]!;
      expect(worstError(wrong, type, readReference('sin', type)).ulps).toBeGreaterThan(barOf('sin', type));
    }
  });

  it.each(types)('ln 2 without its low part breaks the bar: exp and log in %s', (type) => {
    const x = [argument(type, 0)];
    expect(worstError(exp(x, { ...expTables[type], ln2Low: 0 }), type, readReference('exp', type)).ulps).toBeGreaterThan(barOf('exp', type));
    expect(worstError(log(x, { ...logTables[type], ln2Low: 0 }), type, readReference('log', type)).ulps).toBeGreaterThan(barOf('log', type));
  });
});

describe('expandCalls', () => {
  it('leaves no call, also inside the arguments of calls', () => {
    const expr = expandCalls(call('tanh', 'f64', call('exp', 'f64', argument('f64', 0))));
    expect(nodesInOrder([expr]).some((node) => node.op === 'call')).toBe(false);
    expect(evaluateScalar(expr, () => -1)).toBeCloseTo(Math.tanh(Math.exp(-1)), 15);
  });

  it('expands calls inside the index of a table', () => {
    const index = convert('i32', call('exp', 'f64', argument('f64', 0)));
    const expr = expandCalls(lookup('f64', [10, 20, 30], index));
    expect([-1, 0, 0.8, 9].map((x) => evaluateScalar(expr, () => x))).toEqual([10, 20, 30, 30]);
  });

  it('defines a shared call once, across several expressions', () => {
    const shared = call('exp', 'f64', argument('f64', 0));
    const [first, second] = expandAllCalls([shared, add(shared, shared)]) as readonly [ScalarExpr, ScalarExpr];
    expect(second.op === 'add' && second.args[0] === first && second.args[1] === first).toBe(true);
  });

  it('returns an expression without calls as it is', () => {
    const expr = add(argument('f64', 0), argument('f64', 1));
    expect(expandCalls(expr)).toBe(expr);
  });

  it('expands a chain of 5 000 calls without recursion', () => {
    let expr = argument('f32', 0);
    for (let i = 0; i < 5_000; i++) expr = call('tanh', 'f32', expr);
    const value = evaluateScalar(expandCalls(expr), () => 1) as number;
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(0.03);
  });

  it('refuses an unknown name, naming the known ones', () => {
    for (const name of ['frobnicate', 'toString']) {
      try {
        expandCalls(call(name, 'f64', argument('f64', 0)));
        expect.unreachable();
      } catch (error) {
        expect(isTfError(error, 'UnsupportedOnEngineError')).toBe(true);
        expect(String(error)).toContain('exp');
      }
    }
  });

  it('refuses a wrong number of arguments and a result type that the function does not give', () => {
    expect(() => expandCalls(call('exp', 'f64', argument('f64', 0), argument('f64', 1)))).toThrow(/takes 1 arguments, got 2/);
    expect(() => expandCalls(call('exp', 'f32', argument('f64', 0)))).toThrow(/gives f64/);
    expect(() => expandCalls(call('exp', 'i32', argument('i32', 0)))).toThrow(/no i32 operand/);
  });
});
