import { describe, expect, it } from 'vitest';
import { allocate, arrayConstructor, type DType, dtypeOfArray, dtypes, floatResult, isDType, isInexact, promote, promotionTable } from './dtype.ts';

const all = Object.keys(dtypes) as DType[];
const rank = { bool: 0, int: 1, float: 2, complex: 3 } as const;
const width = (dtype: DType): number => dtypes[dtype].bytes / dtypes[dtype].lanes;

describe('promotion', () => {
  it('is symmetric, idempotent and associative', () => {
    for (const a of all) {
      expect(promote(a, a)).toBe(a);
      for (const b of all) {
        expect(promote(a, b)).toBe(promote(b, a));
        for (const c of all) expect(promote(promote(a, b), c), `${a} ${b} ${c}`).toBe(promote(a, promote(b, c)));
      }
    }
  });

  it('takes the higher kind, and the larger width among those of inexact or equal kind', () => {
    for (const a of all) {
      for (const b of all) {
        const kind = rank[dtypes[a].kind] >= rank[dtypes[b].kind] ? dtypes[a].kind : dtypes[b].kind;
        const widths = [a, b].filter((dtype) => dtypes[dtype].kind === kind || isInexact(dtype)).map(width);
        const result = promotionTable[a][b];
        expect([dtypes[result].kind, width(result)], `${a} ${b}`).toEqual([kind, Math.max(...widths)]);
      }
    }
  });

  it('covers every pair of dtypes', () => {
    expect(Object.keys(promotionTable).sort()).toEqual([...all].sort());
    for (const a of all) expect(Object.keys(promotionTable[a]).sort()).toEqual([...all].sort());
  });
});

describe('a dtype', () => {
  it('has typed arrays of its size', () => {
    for (const dtype of all) {
      const data = allocate(dtype, 3);
      expect(data.byteLength).toBe(3 * dtypes[dtype].bytes);
      expect(data).toBeInstanceOf(arrayConstructor(dtype));
      if (dtypes[dtype].lanes === 1) expect(dtypeOfArray(data)).toBe(dtype);
    }
  });

  it('has a short name of its own', () => {
    expect(new Set(all.map((dtype) => dtypes[dtype].short)).size).toBe(all.length);
  });

  it('computes functions in a float or complex dtype', () => {
    for (const dtype of all) expect(floatResult(dtype)).toBe(isInexact(dtype) ? dtype : 'float64');
  });

  it('is one of seven names', () => {
    expect(all.every(isDType)).toBe(true);
    for (const wrong of ['float16', 'toString', 3, null, undefined]) expect(isDType(wrong)).toBe(false);
  });
});
