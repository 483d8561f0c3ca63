import { describe, expect, it } from 'vitest';
import type { DeviceBuffer, DType, Engine, TypedArray } from '../index.ts';
import { add } from '../primitives/arithmetic.ts';
import { Builder } from '../program/builder.ts';
import { hostForm } from '../program/host.ts';
import { tensorType } from '../types/tensor-type.ts';
import { HostTensor } from './host-tensor.ts';
import { ResidentTensor } from './resident-tensor.ts';

/** A buffer of an engine that only reads. */
function buffer(dtype: DType, shape: readonly number[], data: TypedArray): DeviceBuffer {
  let disposed = false;
  const engine = { read: () => data.slice() } as unknown as Engine;
  return { engine, dtype, shape, get disposed() { return disposed; }, dispose: () => void (disposed = true) };
}

describe('a resident tensor', () => {
  const make = (): ResidentTensor<'float64'> => new ResidentTensor(buffer('float64', [2, 2], Float64Array.of(1, 2, 3, 4)));

  it('reads from its engine', async () => {
    const x = make();
    expect([x.type.key, x.toArray(), String(x)]).toEqual(['f64[2, 2]', [[1, 2], [3, 4]], '[[1, 2],\n [3, 4]] float64[2, 2]']);
    expect(await x.data()).toEqual(Float64Array.of(1, 2, 3, 4));
    expect(new ResidentTensor(buffer('bool', [], Uint8Array.of(1))).item()).toBe(true);
  });

  it('has rows that can be read, and reads its engine once for all of them', () => {
    let reads = 0;
    const counted = { ...buffer('float64', [2, 2], new Float64Array(4)), engine: { read: () => (reads++, Float64Array.of(1, 2, 3, 4)) } as unknown as Engine };
    const x = new ResidentTensor<'float64'>(counted);
    expect([...x].map((row) => row.toArray())).toEqual([[1, 2], [3, 4]]);
    expect(reads).toBe(1);
    expect([...x].map((row) => [...row].map((element) => element.item()))).toEqual([[1, 2], [3, 4]]);
    const [first] = x;
    expect([first?.type.key, first?.mul(2).toArray()]).toEqual(['f64[2]', [2, 4]]);
    const complex = new ResidentTensor(buffer('complex128', [2], Float64Array.of(1, 2, 3, 4)));
    expect([...complex].map((row) => row.item())).toEqual([{ re: 1, im: 2 }, { re: 3, im: 4 }]);
    expect([...new ResidentTensor(buffer('float64', [2, 0], new Float64Array(0)))].map((row) => row.type.key)).toEqual(['f64[0]', 'f64[0]']);
    expect([...new ResidentTensor(buffer('float64', [0, 2], new Float64Array(0)))]).toEqual([]);
  });

  it('has no rows without an axis, nor after it was disposed', () => {
    expect(() => [...new ResidentTensor(buffer('float64', [], Float64Array.of(1)))]).toThrow('A scalar f64[] was iterated over');
    const x = make();
    x.dispose();
    expect(() => [...x]).toThrow('iteration: this f64[2, 2] was disposed');
  });

  it('enters a program as a bound input, whatever its size', () => {
    const x = make();
    const builder = new Builder();
    const program = builder.build([add(builder.input(tensorType('float64', [2])), x)]);
    expect(program.bound).toHaveLength(1);
    expect(program.bound[0]?.value).toBe(x);
  });

  it('among host tensors stays a description', () => {
    const y = make().add(1);
    expect(y).toBeInstanceOf(HostTensor);
    expect(hostForm(y)?.form).toBe('deferred');
  });

  it('gives its buffer back once, and cannot be read after that', async () => {
    const x = make();
    x.dispose();
    x.dispose();
    expect(x.disposed).toBe(true);
    expect(() => x.toArray()).toThrow(expect.objectContaining({ name: 'DisposedError' }));
    await expect(x.data()).rejects.toMatchObject({ name: 'DisposedError' });
    expect(String(x)).toBe('f64[2, 2], disposed');
  });

  it('says that its engine was disposed when that is why it cannot be read', async () => {
    const engine = { info: { name: 'toy' }, disposed: true } as unknown as Engine;
    const x = new ResidentTensor({ engine, dtype: 'float64', shape: [2], disposed: true, dispose: () => {} });
    for (const read of [() => x.toArray(), () => x.item(), () => x.toBigIntArray(), () => x.toJSON()]) {
      expect(read).toThrow(expect.objectContaining({ name: 'DisposedError', message: expect.stringMatching(/: the engine toy of this f64\[2\] was disposed.*before engine\.dispose\(\)/) as string }));
    }
    await expect(x.data()).rejects.toMatchObject({ name: 'DisposedError', fields: { op: 'data', engine: 'toy' } });
    expect(String(x)).toBe('f64[2], lost with its engine');
  });

  it('is disposed at the end of a using block', () => {
    const own = buffer('float64', [1], Float64Array.of(1));
    {
      using x = new ResidentTensor(own);
      expect(x.toArray()).toEqual([1]);
    }
    expect(own.disposed).toBe(true);
  });
});
