import { BoundedCache, Builder, type Listener, type Operand, tensorType } from '@tf/core';
import { expect, it } from 'vitest';
import { einsum } from './einsum.ts';

interface Remembering {
  readonly builder: Builder;
  readonly made: string[];
}

/** A program whose listener keeps what families work out, in a cache whose hash says nothing. */
function remembering(): Remembering {
  const builder = new Builder();
  const made: string[] = [];
  const cache = new BoundedCache<string, unknown>({ hash: () => 1, same: (a, b) => a === b });
  const listener = builder.listener as { memo?: Listener['memo'] };
  listener.memo = <T>(key: string, make: () => T): T => cache.getOrCreate(key, () => {
    made.push(key);
    return make();
  }) as T;
  return { builder, made };
}

it('a plan is made once for an equation and shapes, and never taken for another one', () => {
  const { builder, made } = remembering();
  const x = (...shape: readonly number[]): Operand => builder.input(tensorType('float64', shape));
  const key = (value: unknown): string => (value as Operand).type.key;
  for (let times = 0; times < 3; times++) {
    expect(key(einsum('ij,jk->ik', x(2, 3), x(3, 4)))).toBe('f64[2, 4]');
    expect(key(einsum('ij,jk->ki', x(2, 3), x(3, 4)))).toBe('f64[4, 2]');
    expect(key(einsum('ij,jk->ik', x(2, 1), x(3, 4)))).toBe('f64[2, 4]');
    expect(key(einsum('ij,jk->ik', [x(2, 3), x(3, 4)], { path: [[0, 1]] }))).toBe('f64[2, 4]');
    expect(key(einsum(x(2, 3), [0, 1], x(3, 4), [1, 2], [2, 0]))).toBe('f64[4, 2]');
  }
  expect(made).toHaveLength(5);
  expect(made.every((written) => written.startsWith('einsum '))).toBe(true);
});
