import { type Engine, type ErrorName, TfError } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { type Alternative, type Case, type HostValue, parseCase } from './format.ts';
import type { Front } from './fronts/front.ts';
import { judge, type Verdict } from './judge.ts';
import { operations } from './operations/index.ts';

const f64 = (...data: number[]): HostValue => ({ dtype: 'float64', shape: [data.length], data: Float64Array.from(data) });
const alternatives = (...tensors: (HostValue | null)[]): readonly Alternative[] => [{ label: '', tensors }];
const engine = { info: { name: 'stub', dtypes: ['float64', 'int32', 'bool'] } } as unknown as Engine;

/** A front end that answers y = [2, 3], dy = [5, 7], gradients [11, 13] and [17, 19] whatever is asked. */
function stub(replies: Partial<Front> = {}): Front {
  return { name: 'stub', outputs: async () => [f64(2, 3)], jvp: async () => [f64(5, 7)], vjp: async (_, wrt) => wrt.map(() => f64(11, 13)), hvp: async (_, wrt) => wrt.map(() => f64(17, 19)), ...replies };
}

const parsed = parseCase('{"id":"a","area":"ops","op":"add","inputs":[{"dtype":"f64","shape":[1],"data":[1]},{"dtype":"f64","shape":[1],"data":[1]}],"tol":{"mode":"elem","rtol":0,"atol":0,"drtol":0,"datol":0},"expect":{},"cotangents":[null],"tangents":[null,null]}');

function expecting(wanted: Partial<Case['expect']>, more: Partial<Case> = {}): Case {
  return { ...parsed, ...more, expect: { ...parsed.expect, ...wanted } };
}

const judged = (test: Case, front = stub()): Promise<Verdict> => judge(test, { front, engine, operations });

describe('each field', () => {
  it.each<readonly [string, Partial<Case['expect']>, Partial<Case['expect']>]>([
    ['outputs', { outputs: alternatives(f64(2, 3)) }, { outputs: alternatives(f64(2, 4)) }],
    ['outputs', { outputs: alternatives(f64(2, 3)) }, { outputs: alternatives(f64(2, 3), f64(2, 3)) }],
    ['grads', { grads: alternatives(f64(11, 13), null) }, { grads: alternatives(f64(11, 13), f64(0, 0)) }],
    ['jvp', { jvp: [f64(5, 7)] }, { jvp: [f64(5, 8)] }],
    ['hvp', { hvp: [null, f64(17, 19)] }, { hvp: [f64(17, 18), null] }],
  ])('%s is compared', async (_, right, wrong) => {
    expect(await judged(expecting(right))).toMatchObject({ status: 'passed', checks: 1 });
    expect((await judged(expecting(wrong))).status).toBe('failed');
  });

  it('one alternative must match as a whole, and is named', async () => {
    const any = (...labelled: readonly (readonly [string, HostValue, HostValue])[]): Partial<Case['expect']> => ({ grads: labelled.map(([label, ...tensors]) => ({ label, tensors })) });
    expect(await judged(expecting(any(['a', f64(1, 1), f64(1, 1)], ['b', f64(11, 13), f64(11, 13)])))).toMatchObject({ status: 'passed', matched: { grads: 'b' } });
    expect((await judged(expecting(any(['a', f64(11, 13), f64(1, 1)], ['b', f64(1, 1), f64(11, 13)])))).status).toBe('failed');
    expect((await judged(expecting({ grads: [] }))).status).toBe('failed');
  });

  it('grads_finite judges finiteness alone', async () => {
    expect(await judged(expecting({ gradsFinite: true }))).toMatchObject({ status: 'passed', checks: 2 });
    expect((await judged(expecting({ gradsFinite: true }), stub({ vjp: async (_, wrt) => wrt.map(() => f64(NaN)) }))).status).toBe('failed');
  });

  it('every field is judged although another one fails', async () => {
    const both = await judged(expecting({ outputs: alternatives(f64(0, 0)), jvp: [f64(0, 0)] }));
    expect(both.faults.map((fault) => fault.split(':')[0])).toEqual(['outputs', 'jvp']);
  });
});

describe('errors', () => {
  const error = { orNan: false, about: '' };
  const throwing = (thrown: unknown): Front => stub({ outputs: () => Promise.reject(thrown) });
  const of = (name: ErrorName): TfError => new TfError(name, 'x');

  it('the user\'s errors pass; others, and none, do not', async () => {
    expect((await judged(expecting({ error }), throwing(of('ShapeError')))).status).toBe('passed');
    for (const thrown of [of('UnsupportedOnEngineError'), of('InvariantError'), new Error('x'), new TypeError('x')]) expect((await judged(expecting({ error }), throwing(thrown))).status).toBe('failed');
    expect((await judged(expecting({ error }))).status).toBe('failed');
  });

  it('with or_nan a result that is not finite is as good', async () => {
    const nan = stub({ outputs: async () => [f64(NaN)] });
    expect((await judged(expecting({ error: { ...error, orNan: true } }), nan)).status).toBe('passed');
    expect((await judged(expecting({ error: { ...error, orNan: true } }))).status).toBe('failed');
    expect((await judged(expecting({ error }), nan)).status).toBe('failed');
  });
});

describe('what is not passed', () => {
  it('a case that checks nothing is failed', async () => {
    expect(await judged(expecting({}))).toMatchObject({ status: 'failed', faults: ['the case checks nothing'] });
    expect(await judged(expecting({ grads: alternatives(null, null) }))).toMatchObject({ status: 'failed' });
  });

  it('what throws fails its field', async () => {
    const broken = stub({ jvp: () => Promise.reject(new TfError('UnsupportedRuleError', 'no rule')) });
    expect(await judged(expecting({ outputs: alternatives(f64(2, 3)), jvp: [f64(5, 7)] }), broken)).toMatchObject({ status: 'failed', faults: ['jvp: UnsupportedRuleError: no rule'] });
  });

  it('a missing operation is unsupported and nothing runs', async () => {
    const silent = stub({ outputs: () => Promise.reject(new Error('ran')) });
    const steps = [{ out: ['y'], op: 'unheard_of', in: ['x0'], args: {} }, { out: ['z'], op: 'exp', in: ['y'], args: {} }];
    expect(await judged(expecting({ outputs: alternatives(f64(2, 3)) }, { steps }), silent)).toMatchObject({ status: 'unsupported', missing: ['unheard_of'], checks: 0, faults: [] });
  });

  it('a complex case on an engine without complex numbers is unsupported by operation and dtype', async () => {
    const inputs: readonly HostValue[] = [{ dtype: 'complex128', shape: [1], data: Float64Array.of(1, 2) }, f64(1)];
    const steps = [{ out: ['y'], op: 'mul', in: ['x0', 'x1'], args: {} }, { out: ['z'], op: 'real', in: ['y'], args: {} }, { out: ['w'], op: 'exp', in: ['z'], args: {} }];
    expect(await judged(expecting({}, { inputs, steps }))).toMatchObject({ status: 'unsupported', missing: ['mul[complex128] (complex on stub)', 'real[complex128] (complex on stub)'] });
  });
});

it('int64 inputs arrive as int32 on an engine without int64', async () => {
  const inputs: readonly HostValue[] = [{ dtype: 'int64', shape: [1], data: BigInt64Array.of(3n) }];
  const seen: HostValue[] = [];
  const front = stub({ outputs: async (task) => (seen.push(...task.inputs), [f64(2, 3)]) });
  await judged(expecting({ outputs: alternatives(f64(2, 3)) }, { inputs, names: ['x0'] }), front);
  expect(seen).toEqual([{ dtype: 'int32', shape: [1], data: Int32Array.of(3) }]);
});
