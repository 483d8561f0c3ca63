import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hostForm } from '../program/host.ts';
import { tensor } from './create.ts';
import type { HostTensor } from './host-tensor.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The operation that a deferred tensor describes. */
const operationOf = (x: HostTensor): string => {
  const form = hostForm(x);
  return form?.form === 'deferred' ? form.operation.id : 'none';
};

describe('methods.generated.ts', () => {
  it('is what scripts/methods.mjs writes', () => {
    const printed = execFileSync(process.execPath, [path('../../../../scripts/methods.mjs'), '--print'], { encoding: 'utf8' });
    expect(readFileSync(path('./methods.generated.ts'), 'utf8')).toBe(printed);
  });
});

describe('a method', () => {
  const x = tensor([[1, 2, 3], [4, 5, 6]]);
  const y = tensor([1, 2, 3]);
  const cases: readonly (readonly [string, HostTensor, string, string])[] = [
    ['add', x.add(y), 'tf.core.add', 'f64[2, 3]'],
    ['sub', x.sub(1), 'tf.core.sub', 'f64[2, 3]'],
    ['mul', x.mul(y), 'tf.core.mul', 'f64[2, 3]'],
    ['div', x.div(2), 'tf.core.div', 'f64[2, 3]'],
    ['pow', x.pow(y), 'tf.core.pow', 'f64[2, 3]'],
    ['neg', x.neg(), 'tf.core.neg', 'f64[2, 3]'],
    ['abs', x.abs(), 'tf.core.abs', 'f64[2, 3]'],
    ['sqrt', x.sqrt(), 'tf.core.sqrt', 'f64[2, 3]'],
    ['exp', x.exp(), 'tf.core.exp', 'f64[2, 3]'],
    ['log', x.log(), 'tf.core.log', 'f64[2, 3]'],
    ['tanh', x.tanh(), 'tf.core.tanh', 'f64[2, 3]'],
    ['sigmoid', x.sigmoid(), 'tf.core.sigmoid', 'f64[2, 3]'],
    ['sin', x.sin(), 'tf.core.sin', 'f64[2, 3]'],
    ['cos', x.cos(), 'tf.core.cos', 'f64[2, 3]'],
    ['maximum', x.maximum(0), 'tf.core.maximum', 'f64[2, 3]'],
    ['minimum', x.minimum(0), 'tf.core.minimum', 'f64[2, 3]'],
    ['eq', x.eq(y), 'tf.core.equal', 'bool[2, 3]'],
    ['ne', x.ne(y), 'tf.core.notEqual', 'bool[2, 3]'],
    ['lt', x.lt(y), 'tf.core.less', 'bool[2, 3]'],
    ['le', x.le(y), 'tf.core.lessEqual', 'bool[2, 3]'],
    ['gt', x.gt(y), 'tf.core.greater', 'bool[2, 3]'],
    ['ge', x.ge(y), 'tf.core.greaterEqual', 'bool[2, 3]'],
    ['sum', x.sum({ axes: 0 }), 'tf.core.sum', 'f64[3]'],
    ['prod', x.prod({ axes: 0 }), 'tf.core.prod', 'f64[3]'],
    ['mean', x.mean({ axes: 0 }), 'tf.core.div', 'f64[3]'],
    ['variance', x.variance({ axes: 1, ddof: 1 }), 'tf.core.div', 'f64[2]'],
    ['std', x.std(), 'tf.core.select', 'f64[]'],
    ['max', x.max({ axes: 1, keepdims: true }), 'tf.core.reduceMax', 'f64[2, 1]'],
    ['min', x.min(), 'tf.core.reduceMin', 'f64[]'],
    ['argmax', x.argmax({ axis: 1 }), 'tf.core.reduceMin', 'i32[2]'],
    ['argmin', x.argmin(), 'tf.core.reduceMin', 'i32[]'],
    ['any', x.any(), 'tf.core.reduceMax', 'bool[]'],
    ['all', x.all({ axes: 0 }), 'tf.core.reduceMin', 'bool[3]'],
    ['reshape', x.reshape([3, -1]), 'tf.core.reshape', 'f64[3, 2]'],
    ['broadcastTo', x.broadcastTo([5, 2, 3]), 'tf.core.broadcastTo', 'f64[5, 2, 3]'],
    ['transpose', x.transpose(), 'tf.core.transpose', 'f64[3, 2]'],
    ['expandDims', x.expandDims(0), 'tf.core.reshape', 'f64[1, 2, 3]'],
    ['squeeze', x.expandDims(0).squeeze(), 'tf.core.reshape', 'f64[2, 3]'],
    ['slice', x.slice([0, 1], [2, 3]), 'tf.core.slice', 'f64[2, 2]'],
    ['take', x.take([1, 0, 1]), 'tf.core.gather', 'f64[3, 3]'],
    ['matmul', x.matmul(y), 'tf.core.dot', 'f64[2]'],
    ['convert', x.convert('float32'), 'tf.core.convert', 'f32[2, 3]'],
    ['cast', x.cast('int32'), 'tf.core.convert', 'i32[2, 3]'],
  ];

  it.each(cases)('%s is the function of its name, on this', (_, result, operation, type) => {
    expect([operationOf(result), result.type.key]).toEqual([operation, type]);
  });

  it('exists for every row of the table', () => {
    const declared = [...readFileSync(path('./methods.generated.ts'), 'utf8').matchAll(/^ {2}(\w+)(?:<[^(]*>)?\(/gm)].map(([, name]) => name);
    expect(declared).toEqual(cases.map(([name]) => name));
  });

  it('of an int32 tensor computes functions and quotients in float64', () => {
    const n = tensor(Int32Array.of(1, 2));
    expect([n.exp().dtype, n.div(2).dtype, n.add(1).dtype, n.add(0.5).dtype, n.max().dtype]).toEqual(['float64', 'float64', 'int32', 'float64', 'int32']);
  });

  it('tells dtype, shape and rank', () => {
    expect([x.dtype, x.shape, x.rank, x.sum().rank]).toEqual(['float64', [2, 3], 2, 0]);
  });
});
