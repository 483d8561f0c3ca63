import { describe, expect, it, vi } from 'vitest';
import { type ErrorName, errorTable, invariant, isTfError, TfError } from './errors.ts';

const names = Object.keys(errorTable) as ErrorName[];

describe('the table of errors', () => {
  it('gives every name one code of its own', () => {
    const codes = names.map((name) => errorTable[name].code);
    expect(new Set(codes).size).toBe(names.length);
    for (const code of codes) expect(code).toMatch(/^TF_[A-Z_]+$/);
  });

  it('is what errors carry', () => {
    for (const name of names) {
      const error = new TfError(name, 'said', { op: 'f', lhs: 3 });
      expect([error.name, error.code, error.kind, error.message]).toEqual([name, errorTable[name].code, errorTable[name].kind, 'said']);
      expect(error.fields).toEqual({ op: 'f', lhs: 3 });
      expect(error).toBeInstanceOf(Error);
    }
  });

  it('says what every name is about', () => {
    for (const name of names) expect(errorTable[name].about.length).toBeGreaterThan(10);
  });
});

describe('isTfError', () => {
  it('knows an error of another copy of core, which instanceof does not', async () => {
    vi.resetModules();
    const other = await import('./errors.ts');
    const theirs = new other.TfError('ShapeError', 'said');
    expect(theirs).not.toBeInstanceOf(TfError);
    expect([isTfError(theirs), isTfError(theirs, 'ShapeError'), isTfError(theirs, 'AxisError')]).toEqual([true, true, false]);
  });

  it('refuses everything else', () => {
    for (const thrown of [new Error('x'), Object.assign(new Error('x'), { name: 'ShapeError', code: 'TF_SHAPE' }), null, undefined, 'ShapeError', {}, 3]) expect(isTfError(thrown)).toBe(false);
  });

  it('leaves the marker out of what is printed and copied', () => {
    expect(Object.getOwnPropertySymbols({ ...new TfError('ShapeError', 'said') })).toEqual([]);
  });
});

describe('TfError', () => {
  it('keeps its cause', () => {
    const cause = new Error('inner');
    expect(new TfError('ParseError', 'outer', {}, { cause }).cause).toBe(cause);
  });
});

describe('invariant', () => {
  it('throws an InvariantError that asks for a report, and nothing when the condition holds', () => {
    expect(() => invariant(false, 'two is three', { op: 'f' })).toThrow(expect.objectContaining({ name: 'InvariantError', kind: 'invariant', message: expect.stringMatching(/^two is three\. .*report/) as string }));
    expect(() => invariant(1, 'never')).not.toThrow();
  });
});
