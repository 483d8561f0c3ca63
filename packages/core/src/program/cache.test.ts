import { describe, expect, it } from 'vitest';
import { BoundedCache } from './cache.ts';

const hash = (key: string): number => key.length;
const same = (a: string, b: string): boolean => a === b;
const touch = (cache: BoundedCache<string, string>, ...keys: readonly string[]): number => keys.filter((key) => cache.getOrCreate(key, () => `new ${key}`) === `new ${key}`).length;

describe('BoundedCache', () => {
  it('makes a value once for equal keys, also when hashes collide', () => {
    const cache = new BoundedCache<string, object>({ hash: () => 0, same });
    const [a, b] = [cache.getOrCreate('a', () => ({})), cache.getOrCreate('b', () => ({}))];
    expect(a).not.toBe(b);
    expect([cache.getOrCreate('a', () => ({})), cache.getOrCreate('b', () => ({}))]).toEqual([a, b]);
    expect(cache.stats()).toEqual({ entries: 2, retainedBytes: 0, hits: 2, misses: 2, evictions: 0, clears: 0 });
  });

  it('lets the least recently used entry go first', () => {
    const cache = new BoundedCache<string, string>({ hash, same, maximumEntries: 3 });
    touch(cache, 'a', 'b', 'c', 'a', 'd');
    let made = '';
    for (const key of ['a', 'c', 'd', 'b']) cache.getOrCreate(key, () => (made += key));
    expect(made).toBe('b');
    expect(cache.stats()).toMatchObject({ entries: 3, evictions: 2 });
  });

  it('holds no more bytes than allowed, and counts them', () => {
    const cache = new BoundedCache<string, string>({ hash, same, bytes: (key) => key.length, maximumBytes: 10 });
    touch(cache, 'aaaa', 'bbbb', 'cc');
    expect(cache.stats()).toMatchObject({ entries: 3, retainedBytes: 10, evictions: 0 });
    touch(cache, 'ddddd');
    expect(cache.stats()).toMatchObject({ entries: 2, retainedBytes: 7, evictions: 2 });
  });

  it('keeps the newest entry even when it alone is too large', () => {
    const cache = new BoundedCache<string, string>({ hash, same, bytes: (key) => key.length, maximumBytes: 3 });
    touch(cache, 'a', 'bbbbbb');
    expect(cache.stats()).toMatchObject({ entries: 1, retainedBytes: 6, evictions: 1 });
    let made = false;
    cache.getOrCreate('bbbbbb', () => ((made = true), ''));
    expect(made).toBe(false);
  });

  it('is bounded without being told', () => {
    const cache = new BoundedCache<number, number>({ hash: (key) => key, same: (a, b) => a === b });
    for (let key = 0; key < 1000; key++) cache.getOrCreate(key, () => key);
    expect(cache.stats()).toMatchObject({ entries: 256, evictions: 744 });
  });

  it('forgets everything when cleared, but keeps counting', () => {
    const cache = new BoundedCache<string, string>({ hash, same, bytes: () => 8 });
    touch(cache, 'a', 'b', 'a');
    cache.clear();
    touch(cache, 'a');
    expect(cache.stats()).toEqual({ entries: 1, retainedBytes: 8, hits: 1, misses: 3, evictions: 0, clears: 1 });
  });

  it('caches nothing when making the value fails', () => {
    const cache = new BoundedCache<string, string>({ hash, same });
    expect(() => cache.getOrCreate('a', () => { throw new Error('no'); })).toThrow('no');
    expect(cache.getOrCreate('a', () => 'made')).toBe('made');
    expect(cache.stats().entries).toBe(1);
  });

  it('may be used again while a value is made', () => {
    const cache = new BoundedCache<string, string>({ hash, same });
    expect(cache.getOrCreate('a', () => cache.getOrCreate('b', () => 'b') + 'a')).toBe('ba');
    expect(cache.stats().entries).toBe(2);
  });
});
