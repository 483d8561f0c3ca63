import { describe, expect, it } from 'vitest';
import { type Big, fromFloat, minus, over, plus, times, timesCut, toEstimate } from './big.ts';
import { type BigComplex, complexExact, modulus } from './complex-exact.ts';
import { complexBar, complexComplaints, type ComplexDType, complexNames, distance, measureComplex, partsOf, spoiled } from './complex-measure.ts';
import { complexPointsOf } from './complex-points.ts';
import { formats } from './format.ts';
import { main } from './main.ts';
import { tableText } from './table.ts';

const dtypes: readonly ComplexDType[] = ['complex64', 'complex128'];
const cases = complexNames.flatMap((name) => dtypes.map((dtype) => [name, dtype] as const));
const POINTS = 300;

describe('complex functions through the engine', () => {
  it.each(cases)('%s in %s is within the bar, and a planted fault is seen', (name, dtype) => {
    const measurement = measureComplex(name, dtype, POINTS);
    expect(complexComplaints(measurement, POINTS)).toEqual([]);
    expect(measureComplex(name, dtype, POINTS, spoiled(dtype)).worst).toBeGreaterThan(complexBar);
  });
});

const at = (re: number, im: number): BigComplex => ({ re: fromFloat(re), im: fromFloat(im) });
const product = (a: BigComplex, b: BigComplex): BigComplex => ({ re: minus(times(a.re, b.re), times(a.im, b.im)), im: plus(times(a.re, b.im), times(a.im, b.re)) });
const sum = (a: BigComplex, b: BigComplex): BigComplex => ({ re: plus(a.re, b.re), im: plus(a.im, b.im) });
const f = (name: string): ((z: BigComplex) => BigComplex) => (z) => complexExact[name]!(cut(z));
const one = at(1, 0);

/** As arguments of other functions parts have no more bits than the numbers that those were made for. */
const cut = (z: BigComplex): BigComplex => ({ re: timesCut(z.re, one.re), im: timesCut(z.im, one.re) });

/** |a − b|/|b| */
function apart(a: BigComplex, b: BigComplex): number {
  const difference: BigComplex = { re: minus(a.re, b.re), im: minus(a.im, b.im) };
  return toEstimate(modulus(difference).significand === 0n ? (fromFloat(0) as Big) : over(modulus(difference), modulus(b)));
}

/** Each function by others: none is compared with a formula that it is computed by. */
const identities: { readonly [name: string]: (z: BigComplex) => readonly [BigComplex, BigComplex] } = {
  'exp log z = z': (z) => [f('exp')(f('log')(z)), z],
  'expm1 log1p z = z': (z) => [f('expm1')(f('log1p')(z)), z],
  '2^log2 z = z': (z) => [f('exp2')(f('log2')(z)), z],
  'log z = log 10 · log10 z': (z) => [product(f('log10')(z), { re: f('log')(at(10, 2 ** -1000)).re, im: fromFloat(0) }), f('log')(z)],
  '√z·√z = z': (z) => [product(f('sqrt')(z), f('sqrt')(z)), z],
  '√z·rsqrt z = 1': (z) => [product(f('sqrt')(z), f('rsqrt')(z)), one],
  'sin asin z = z': (z) => [f('sin')(f('asin')(z)), z],
  'cos acos z = z': (z) => [f('cos')(f('acos')(z)), z],
  'tan atan z = z': (z) => [f('tan')(f('atan')(z)), z],
  'sinh asinh z = z': (z) => [f('sinh')(f('asinh')(z)), z],
  'cosh acosh z = z': (z) => [f('cosh')(f('acosh')(z)), z],
  'tanh atanh z = z': (z) => [f('tanh')(f('atanh')(z)), z],
  'sin² + cos² = 1': (z) => [sum(product(f('sin')(z), f('sin')(z)), product(f('cos')(z), f('cos')(z))), one],
  'tan·cos = sin': (z) => [product(f('tan')(z), f('cos')(z)), f('sin')(z)],
  'cosh + sinh = exp': (z) => [sum(f('cosh')(z), f('sinh')(z)), f('exp')(z)],
  'sigmoid·(1 + exp) = exp': (z) => [product(f('sigmoid')(z), sum(one, f('exp')(z))), f('exp')(z)],
};

const places: readonly (readonly [number, number])[] = [[0.5, 0.75], [-1.25, -0.0625], [3, -2], [-0.0078125, 1]];

/** Values at these places, computed by mpmath with 200 bits and rounded. */
const known: { readonly [name: string]: readonly (readonly number[])[] } = {
  acos: [[1.1725184532565882, -0.7433204263252785], [3.058948234133636, 0.698828247673805], [0.6061378223872939, 1.9686379257930964], [1.576320584473549, -0.8813843766539191]],
  acosh: [[0.7433204263252785, 1.1725184532565882], [0.698828247673805, -3.058948234133636], [1.9686379257930964, -0.6061378223872939], [0.8813843766539191, 1.576320584473549]],
  asin: [[0.39827787353830835, 0.7433204263252785], [-1.4881519073387393, -0.698828247673805], [0.9646585044076028, -1.9686379257930964], [-0.005524257678652381, 0.8813843766539191]],
  asinh: [[0.6063349998873513, 0.6822039655834323], [-1.0481881757369893, -0.03903520932104696], [1.9833870299165355, -0.5706527843210994], [-0.08844579075848145, 1.4824656245603636]],
  atan: [[0.6927241883996009, 0.5902135002795054], [-0.8967987402771456, -0.02437240531931427], [1.3389725222944935, -0.14694666622552977], [-0.7873512784634318, 2.7725925369079434]],
  atanh: [[0.3104282830771958, 0.7232206661240675], [-1.083648960065057, -1.4621923135281751], [0.22907268296853878, -1.4099210495965755], [-0.00390621026284257, 0.7854134221865061]],
  cos: [[1.136191473803348, -0.3942396421115833], [0.3159384268869864, -0.05935016053529191], [-3.7245455049153224, 0.5118225699873846], [1.5430335439709348, 0.00918116592902764]],
  cosh: [[0.8250713669946073, 0.35519875789073846], [1.8847367497471816, 0.10005477299428264], [-4.189625690968807, -9.109227893755337], [0.5403187946698363, -0.006574058943121293]],
  exp: [[1.2063510016467853, 1.1238323225841311], [0.28594539930995033, -0.017894894170457185], [-8.358532650935372, -18.263727040666765], [0.5360976399657411, 0.8349226056519078]],
  exp2: [[1.2273797480417172, 0.7025232765517814], [0.4200537271241971, -0.018208833727272295], [1.4676557979464133, -7.86422192328995], [0.76508456781779, 0.6355105170499076]],
  expm1: [[0.2063510016467854, 1.1238323225841311], [-0.7140546006900497, -0.017894894170457185], [-9.358532650935372, -18.263727040666765], [-0.46390236003425894, 0.8349226056519078]],
  log: [[-0.10381968238912224, 0.982793723247329], [0.22439199141350336, -3.0916342578678506], [1.2824746787307684, -0.5880026035475675], [3.0516646840319264e-05, 1.5786086678549978]],
  log10: [[-0.04508831517454401, 0.4268218908554666], [0.09745220365416637, -1.3426796982550626], [0.5569716761534184, -0.25536628606545403], [1.3253211328940961e-05, 0.6855810335340687]],
  log1p: [[0.5170368837652692, 0.4636476090008061], [-1.3559820502116733, -2.896613990462929], [1.4978661367769954, -0.4636476090008061], [0.34266738024996074, 0.7893197119222083]],
  log2: [[-0.1497801409294539, 1.417871630745722], [0.3237292132274601, -4.460285412068378], [1.850219859070546, -0.8483084401678749], [4.402621506108845e-05, 2.277450896618738]],
  rsqrt: [[0.92865090530163, -0.49699888182260676], [0.022325809852093495, 0.893590190924634], [0.5040433160363529, 0.15261203645745605], [0.7043285670150132, -0.709852628018919]],
  sigmoid: [[0.6401310030830609, 0.1833037491900986], [0.22251256550859957, -0.010819320452135638], [1.0189793914289662, -0.0471064600647722], [0.49746399630216426, 0.27314583313248986]],
  sin: [[0.620704231078055, 0.7216508242975646], [-0.9508387083670037, -0.0197204806556663], [0.5309210862485199, 3.59056458998578], [-0.012055194826837541, 1.1751653295319766]],
  sinh: [[0.3812796346521781, 0.7686335646933927], [-1.5987913504372313, -0.11794966716473983], [-4.168906959966565, -9.15449914691143], [-0.004221154704095232, 0.841496664595029]],
  sqrt: [[0.8370746140177701, 0.44798873806491907], [0.02794212461767276, -1.1183831017715484], [1.8173540210239707, -0.5502505227003375], [0.7043500610891142, 0.7098742906714111]],
  tan: [[0.2908934618296181, 0.736084170551191], [-2.8956592772649263, -0.6063786716434341], [-0.009884375038322494, -0.9653858790221331], [-0.003281000140061863, 0.7616136781539807]],
  tanh: [[0.7282118012804724, 0.6180963948062022], [-0.8492126319124988, -0.017499467795320293], [1.0032386273536098, 0.0037640256415042484], [-0.026757360279535274, 1.557082167844043]],
};

describe('exact values', () => {
  const points = [[0.3, 0.4], [-0.7, 1.2], [2.5, -0.1], [-3, -2], [1.0000001, 1e-9], [1e-8, -1e-12], [0.5, 3], [-1e-5, 0.999]] as const;
  it.each(Object.keys(identities))('%s, to 80 bits', (name) => {
    for (const [re, im] of points) {
      const [left, right] = identities[name]!(at(re, im));
      expect([re, im, apart(left, right) < 2 ** -80]).toEqual([re, im, true]);
    }
  });

  it.each(complexNames)('%s is what mpmath says', (name) => {
    known[name]!.forEach(([re, im], index) => {
      const value = complexExact[name]!(at(...places[index]!));
      expect([index, apart(value, at(re!, im!)) < 2 ** -52]).toEqual([index, true]);
    });
  });

  it('distances are counted beside the modulus', () => {
    expect(distance('complex128', [3, 4], at(3, 4))).toBe(0);
    expect(distance('complex128', [3 + 5 * 2 ** -50, 4], at(3, 4))).toBeCloseTo(4, 9);
    expect(distance('complex64', [3, 4 + 5 * 2 ** -21], at(3, 4))).toBeCloseTo(4, 9);
    expect(distance('complex64', [NaN, 4], at(3, 4))).toBe(Infinity);
    expect(distance('complex64', [3, Infinity], at(3, 4))).toBe(Infinity);
  });
});

describe('points', () => {
  it.each(cases)('%s in %s: the same each time, with parts of both signs and of many sizes, near branch points', (name, dtype) => {
    const format = formats[partsOf[dtype]];
    const points = complexPointsOf(name, format, 1000);
    expect(complexPointsOf(name, format, 1000)).toEqual(points);
    for (const part of [0, 1] as const) {
      const values = points.map((point) => point[part]);
      expect(values.every((value) => value !== 0 && Number.isFinite(value))).toBe(true);
      expect([values.some((value) => value < 0), values.some((value) => value > 0)]).toEqual([true, true]);
      expect(new Set(values.map((value) => Math.floor(Math.log2(Math.abs(value)) / 8))).size).toBeGreaterThan(10);
    }
    expect(points.some(([re, im]) => Math.abs(Math.abs(re) - 1) < 0.01 && Math.abs(im) < 0.01)).toBe(true);
  });
});

describe('pnpm accuracy', () => {
  const run = (...args: readonly string[]): { readonly code: number; readonly lines: readonly string[] } => {
    const lines: string[] = [];
    return { code: main(args, (line) => lines.push(line)), lines };
  };

  it('measures complex functions of the dtypes asked for, and fails on a fault', () => {
    const good = run('--points', '2000', '--functions', 'sqrt,cbrt', '--dtypes', 'complex128');
    expect(good.code).toBe(0);
    expect(good.lines.map((line) => line.split(/\s+/).slice(0, 3))[1]).toEqual(['sqrt', 'complex128', '100']);
    expect(good.lines.length).toBe(3);
    const bad = run('--points', '2000', '--functions', 'sqrt', '--dtypes', 'complex64', '--fault');
    expect(bad.code).toBe(1);
    expect(bad.lines.at(-2)).toMatch(/^sqrt complex64: [\d.]+ units at .*i \(gives .*i\), at most 4 are allowed$/);
  });

  it('the page has a table of complex functions', () => {
    const sqrt = measureComplex('sqrt', 'complex128', 100);
    const bad = measureComplex('exp', 'complex64', 100, spoiled('complex64'));
    const lines = tableText({ real: [], complex: [sqrt, bad] }, complexComplaints(bad, 100), { date: '2026-01-02', machine: 'a machine' }).split('\n');
    expect(lines.find((line) => line.startsWith('| `sqrt` |'))).toContain(`| ${sqrt.worst.toFixed(2)} | ${sqrt.mean.toFixed(2)} |`);
    expect(lines.find((line) => line.startsWith('| `exp` |'))).toContain(`**${bad.worst.toFixed(2)}**`);
    expect(lines.some((line) => line.startsWith('- exp complex64: '))).toBe(true);
  });
});
