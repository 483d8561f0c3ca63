import { describe, expect, it } from 'vitest';
import { baseName, parseCase, parseTensor } from './format.ts';

const x = '{"dtype":"f64","shape":[2],"data":[1,2],"name":"x0"}';
const tol = '{"mode":"elem","rtol":1e-12,"atol":0,"drtol":1e-9,"datol":1e-11}';

interface Parts {
  readonly op?: string;
  readonly inputs?: string;
  readonly expect?: string;
  readonly tol?: string;
  readonly more?: string;
}

function line({ op = 'exp', inputs = x, expect: expected = `{"outputs":[${x}]}`, tol: tolerance = tol, more = '' }: Parts = {}): string {
  return `{"id":"a.0","area":"ops","op":"${op}","inputs":[${inputs}],"tol":${tolerance},"expect":${expected},"source":"s","note":"n"${more}}`;
}

describe('tensors', () => {
  const data = (text: string) => Array.from(parseTensor(JSON.parse(text), 't').data as ArrayLike<number | bigint>);

  it('reads NaN, infinities and negative zero', () => {
    expect(data('{"dtype":"f64","shape":[4],"data":["NaN","Inf","-Inf",-0.0]}')).toEqual([NaN, Infinity, -Infinity, -0]);
  });

  it('rounds f32 once and keeps complex parts interleaved', () => {
    expect(data('{"dtype":"f32","shape":[1],"data":[0.1]}')).toEqual([Math.fround(0.1)]);
    expect(parseTensor(JSON.parse('{"dtype":"c128","shape":[1],"data":[1,2]}'), 't')).toMatchObject({ dtype: 'complex128', shape: [1], data: Float64Array.of(1, 2) });
  });

  it('reads booleans, int32 and int64, scalars and nothing', () => {
    expect(data('{"dtype":"bool","shape":[2],"data":[true,false]}')).toEqual([1, 0]);
    expect(data('{"dtype":"i64","shape":[],"data":[-3]}')).toEqual([-3n]);
    expect(data('{"dtype":"i32","shape":[0,3],"data":[]}')).toEqual([]);
  });

  it.each([
    ['too few values', '{"dtype":"f64","shape":[2],"data":[1]}'],
    ['half a complex value', '{"dtype":"c128","shape":[1],"data":[1]}'],
    ['an unknown dtype', '{"dtype":"f16","shape":[1],"data":[1]}'],
    ['an unknown text', '{"dtype":"f64","shape":[1],"data":["nan"]}'],
    ['a fraction among integers', '{"dtype":"i32","shape":[1],"data":[0.5]}'],
    ['a number among booleans', '{"dtype":"bool","shape":[1],"data":[1]}'],
    ['an unknown field', '{"dtype":"f64","shape":[1],"data":[1],"order":"F"}'],
  ])('refuses %s', (_, text) => {
    expect(() => parseTensor(JSON.parse(text), 't')).toThrow();
  });
});

describe('cases', () => {
  it('a single operation is one step named by what precedes the dot', () => {
    expect(baseName('where.single_where_nan')).toBe('where');
    expect(parseCase(line({ op: 'where.label' }))).toMatchObject({ op: 'where.label', steps: [{ op: 'where', in: ['x0'], args: {} }], result: undefined, optional: false });
  });

  it('a program keeps its steps and its result', () => {
    const more = ',"program":[{"out":["y"],"op":"exp","in":["x0"]},{"out":["z"],"op":"sum","in":["y"],"args":{"axes":null}}],"result":["z","x0"]';
    expect(parseCase(line({ more }))).toMatchObject({ steps: [{ op: 'exp' }, { op: 'sum', args: { axes: null } }], result: ['z', 'x0'] });
  });

  it('an error case calls args.call with the other arguments', () => {
    const error = parseCase(`{"id":"e","area":"fft","op":"fft.error","args":{"n":0,"call":"irfft"},"inputs":[${x}],"expect":{"error":{"must_throw":true,"about":"n=0","or_nan":true}}}`);
    expect(error).toMatchObject({ steps: [{ op: 'irfft', args: { n: 0 } }], expect: { error: { orNan: true } } });
  });

  it('second derivatives have hrtol, else ten times drtol, and ten times datol', () => {
    expect(parseCase(line()).second).toEqual({ mode: 'elem', rtol: 10 * 1e-9, atol: 10 * 1e-11 });
    expect(parseCase(line({ tol: tol.replace('}', ',"hrtol":0.5,"signed_zero":true}') }))).toMatchObject({ second: { rtol: 0.5, atol: 10 * 1e-11 }, signedZero: true });
  });

  it('reads alternatives and what is not judged', () => {
    const directions = `,"cotangents":[null]`;
    const found = parseCase(line({ expect: `{"outputs_any":[{"label":"a","outputs":[${x}]},{"label":"b","outputs":[${x}]}],"grads":[null]}`, more: directions }));
    expect(found.expect.outputs?.map(({ label }) => label)).toEqual(['a', 'b']);
    expect(found.expect.grads).toEqual([{ label: '', tensors: [null] }]);
    expect(parseCase(line({ expect: '{"grads_finite":true}', more: directions })).expect.gradsFinite).toBe(true);
  });
});

describe('refused cases', () => {
  const plain = `{"outputs":[${x}]`;
  it.each<readonly [string, Parts]>([
    ['an unknown field of the case', { more: ',"weight":2' }],
    ['an unknown field of expect', { expect: `${plain},"vhp":[null]}` }],
    ['an unknown field of tol', { tol: tol.replace('}', ',"ulp":1}') }],
    ['an unknown field of a step', { more: ',"program":[{"out":["y"],"op":"exp","in":["x0"],"if":true}],"result":["y"]' }],
    ['an unknown mode', { tol: tol.replace('elem', 'max') }],
    ['a tolerance that is missing', { tol: '{"mode":"elem","rtol":1}' }],
    ['gradients without cotangents', { expect: `${plain},"grads":[null]}` }],
    ['a jvp without tangents', { expect: `${plain},"jvp":[null]}` }],
    ['one gradient too many', { expect: `${plain},"grads":[null,null]}`, more: ',"cotangents":[null]' }],
    ['one tangent too few', { expect: `${plain},"jvp":[null]}`, more: ',"tangents":[]' }],
    ['plain outputs beside alternatives', { expect: `${plain},"outputs_any":[]}` }],
    ['a value used before it is defined', { more: ',"program":[{"out":["y"],"op":"exp","in":["z"]}],"result":["y"]' }],
    ['a value defined twice', { more: ',"program":[{"out":["x0"],"op":"exp","in":["x0"]}],"result":["x0"]' }],
    ['a result that is not defined', { more: ',"program":[],"result":["y"]' }],
    ['an error that need not be thrown', { expect: '{"error":{"must_throw":false}}' }],
    ['args.call outside an error case', { more: ',"args":{"call":"log"}' }],
    ['two inputs of one name', { inputs: `${x},${x}` }],
  ])('%s', (_, parts) => {
    expect(() => parseCase(line(parts))).toThrow();
  });
});
