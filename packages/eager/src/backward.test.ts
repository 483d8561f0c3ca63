import { add, div, exp, matmul, mul, type Operand, select, sub, sum, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor, type Session } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();

function nameOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).name;
  }
  return 'nothing was thrown';
}

let session: Session;
beforeAll(() => {
  session = runtime.open(engine);
});
afterAll(() => session.dispose());

describe('gradients', () => {
  test('accumulate: Σ x·(x·c) gives [20, 80, 180], then [40, 160, 360]', () => {
    const x = runtime.variable([1, 2, 3]);
    const c = runtime.constant([10, 20, 30]);
    const inner = mul(x, c);
    const loss = sum(mul(x, inner));
    expect(x.grad).toBeUndefined();
    loss.backward();
    expect(x.grad?.toArray()).toEqual([20, 80, 180]);
    loss.backward();
    expect(x.grad?.toArray()).toEqual([40, 160, 360]);
    expect(c.grad).toBeUndefined();
    expect(inner.grad).toBeUndefined();
    expect(loss.grad).toBeUndefined();
    expect(x.grad?.tracksGrad).toBe(false);
    x.clearGrad();
    expect(x.grad).toBeUndefined();
    loss.backward();
    expect(x.grad?.toArray()).toEqual([20, 80, 180]);
  });

  test('clearGrads clears those of all variables', () => {
    const [x, y] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    const loss = sum(mul(x, y));
    loss.backward();
    runtime.clearGrads();
    expect([x.grad, y.grad]).toEqual([undefined, undefined]);
    loss.backward();
    expect(y.grad?.toArray()).toEqual([1, 2]);
  });

  test('a value used several times is counted each time, also in a second run', () => {
    const [x, a] = [runtime.variable(1), runtime.constant(1)];
    for (let run = 0; run < 2; run++) {
      x.clearGrad();
      const xa = mul(x, a);
      const f = add(add(mul(x, xa), mul(x, xa)), mul(mul(x, x), a));
      f.backward();
      expect(x.grad?.item()).toBe(6);
    }
  });

  test('gradients of two leaves with one cotangent are independent memory', () => {
    const [a, b] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    sum(add(a, b)).backward();
    const kept = b.grad as EagerTensor<'float64'>;
    a.grad?.dispose();
    a.clearGrad();
    expect(kept.toArray()).toEqual([1, 1]);
    expect(b.grad?.toArray()).toEqual([1, 1]);
  });

  test('broadcast operands get gradients of their own shape', () => {
    const row = runtime.variable([1, 2, 3]);
    const scale = runtime.variable(2);
    sum(mul(mul(runtime.constant([[1, 1, 1], [2, 2, 2]]), row), scale)).backward();
    expect(row.grad?.toArray()).toEqual([6, 6, 6]);
    expect(scale.grad?.item()).toBe(18);
  });

  test('a matrix product gives both shares', () => {
    const a = runtime.variable([[1, 2], [3, 4]]);
    const b = runtime.variable([[5, 6], [7, 8]]);
    sum(matmul(a, b)).backward();
    expect(a.grad?.toArray()).toEqual([[11, 15], [11, 15]]);
    expect(b.grad?.toArray()).toEqual([[4, 4], [6, 6]]);
  });

  test('numbers and host tensors are constants', () => {
    const x = runtime.variable([1, 2]);
    sum(sub(mul(x, 3), div(x, tensor([2, 4])))).backward();
    expect(x.grad?.toArray()).toEqual([2.5, 2.75]);
  });

  test('a branch that is not taken contributes exactly 0', () => {
    const x = runtime.variable([0, 1]);
    const safe = select(x.gt(0), div(1, x), 0);
    sum(safe).backward();
    expect((x.grad?.toArray() as number[]).map((value) => value + 0)).toEqual([0, -1]);
  });

  test('a variable is its own gradient’s source', () => {
    const x = runtime.variable(5);
    x.backward();
    expect(x.grad?.item()).toBe(1);
  });

  test('float32 gradients are float32', () => {
    const x = runtime.variable(new Float32Array([1, 2]));
    sum(mul(x, x)).backward();
    expect(x.grad?.type.key).toBe('f32[2]');
    expect(x.grad?.toArray()).toEqual([2, 4]);
  });
});

describe('runtime.backward', () => {
  const loss = (x: Operand) => sum(mul(x, x));

  test('takes what a function of any operands returns', () => {
    const x = runtime.variable([1, 2, 3]);
    runtime.backward(loss(x));
    expect(x.grad?.toArray()).toEqual([2, 4, 6]);
    runtime.backward(mul(x, x) as Operand, { cotangent: tensor([1, 0, 0]), inputs: [x] });
    expect(x.grad?.toArray()).toEqual([4, 4, 6]);
  });

  test('refuses what no variable of this runtime entered', () => {
    expect(nameOf(() => runtime.backward(loss(tensor([1, 2]))))).toBe('InactiveGradError');
    expect(nameOf(() => runtime.backward(loss(runtime.constant([1, 2]))))).toBe('InactiveGradError');
    expect(nameOf(() => runtime.backward(1 as never))).toBe('ArgumentError');
    const other = new EagerRuntime();
    const theirs = other.session(engine, () => loss(other.variable([1, 2])));
    expect(nameOf(() => runtime.backward(theirs))).toBe('ContextMismatchError');
  });
});

describe('options', () => {
  test('a cotangent takes the place of the scalar', () => {
    const x = runtime.variable([1, 2, 3]);
    const y = mul(x, x);
    y.backward({ cotangent: tensor([1, 10, 100]) });
    expect(x.grad?.toArray()).toEqual([2, 40, 600]);
    const s = sum(y);
    x.clearGrad();
    s.backward({ cotangent: 2 });
    expect(x.grad?.toArray()).toEqual([4, 8, 12]);
  });

  test('inputs restrict which variables get a gradient', () => {
    const [x, y] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    const loss = sum(mul(x, y));
    loss.backward({ inputs: [y] });
    expect(x.grad).toBeUndefined();
    expect(y.grad?.toArray()).toEqual([1, 2]);
    loss.backward();
    expect(x.grad?.toArray()).toEqual([3, 4]);
    expect(y.grad?.toArray()).toEqual([2, 4]);
  });

  test('another engine gives the same gradient', async () => {
    const second = await createEngine();
    const x = runtime.variable([0.1, 0.7, -1.3]);
    const loss = sum(tanh(mul(exp(x), x)));
    loss.backward();
    const here = x.grad?.toArray();
    x.clearGrad();
    loss.backward({ engine: second });
    expect(x.grad?.toArray()).toEqual(here);
    loss.backward();
    expect(x.grad?.toArray()).toEqual((here as number[]).map((value) => 2 * value));
  });
});

describe('refusals', () => {
  const x = runtime.variable([1, 2, 3]);

  test('a tensor that is no scalar needs a cotangent of its type', () => {
    const y = mul(x, x);
    expect(() => y.backward()).toThrow(expect.objectContaining({ name: 'NonScalarGradError', fields: expect.objectContaining({ shape: [3] }) }));
    expect(nameOf(() => y.backward({ cotangent: tensor([1, 2]) }))).toBe('ShapeError');
    expect(nameOf(() => y.backward({ cotangent: tensor(new Float32Array([1, 2, 3])) }))).toBe('DTypeError');
    expect(x.grad).toBeUndefined();
  });

  test('what depends on no variable has no gradient', () => {
    expect(nameOf(() => sum(runtime.constant([1, 2])).backward())).toBe('InactiveGradError');
    expect(nameOf(() => sum(mul(x, x)).detach().backward())).toBe('InactiveGradError');
    expect(nameOf(() => runtime.noGrad(() => sum(x)).backward())).toBe('InactiveGradError');
    expect(nameOf(() => sum(x).backward({ inputs: [runtime.variable(1)] }))).toBe('InactiveGradError');
    expect(nameOf(() => sum(x).backward({ inputs: [mul(x, x)] }))).toBe('InactiveGradError');
  });

  test('inside noGrad backward works for what was recorded outside', () => {
    const w = runtime.variable([1, 2]);
    const loss = sum(mul(w, w));
    runtime.noGrad(() => loss.backward());
    expect(w.grad?.toArray()).toEqual([2, 4]);
    expect(nameOf(() => runtime.noGrad(() => sum(mul(w, w)).backward()))).toBe('InactiveGradError');
  });

  test('after dispose it names the fault; disposing the variable first leaves the rest', () => {
    const [w, v] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    const loss = sum(mul(w, v));
    w.dispose();
    loss.backward();
    expect(v.grad?.toArray()).toEqual([1, 2]);
    loss.dispose();
    expect(nameOf(() => loss.backward())).toBe('DisposedError');
    expect(nameOf(() => runtime.backward(loss))).toBe('DisposedError');
  });

  test('a cotangent of another runtime, or a disposed one', () => {
    const y = mul(x, x);
    const other = new EagerRuntime();
    const gone = runtime.constant([1, 1, 1]);
    gone.dispose();
    expect(nameOf(() => y.backward({ cotangent: other.constant([1, 1, 1]) }))).toBe('ContextMismatchError');
    expect(nameOf(() => y.backward({ cotangent: gone }))).toBe('DisposedError');
    expect(nameOf(() => sum(x).backward({ cotangent: [1] }))).toBe('ShapeError');
    expect(nameOf(() => y.backward({ cotangent: 1 }))).toBe('ShapeError');
  });

  test('on a disposed engine', async () => {
    const second = await createEngine();
    second.dispose();
    expect(nameOf(() => sum(mul(x, x)).backward({ engine: second }))).toBe('DisposedError');
    expect(x.grad).toBeUndefined();
  });

  test('leaves of two types as outputs are told apart', () => {
    const [a, b] = [runtime.variable(1), runtime.variable(new Float32Array([2])).reshape([]).detach().setRequiresGrad(true)];
    a.backward();
    b.backward();
    expect([a.grad?.type.key, b.grad?.type.key]).toEqual(['f64[]', 'f32[]']);
  });

  test('integers and booleans carry no gradient', () => {
    expect(nameOf(() => sum(runtime.variable(new Int32Array([1, 2]))).backward())).toBe('NotDifferentiableError');
    expect(nameOf(() => runtime.variable(new Int32Array([1, 2]), { requiresGrad: true }))).toBe('NotDifferentiableError');
    expect(x.gt(1).tracksGrad).toBe(false);
    expect(runtime.variable(new Int32Array([1, 2])).tracksGrad).toBe(false);
  });

  test('a variable that requires no gradient is a constant', () => {
    const fixed = runtime.variable([1, 2], { requiresGrad: false });
    expect(mul(fixed, fixed).tracksGrad).toBe(false);
  });
});
