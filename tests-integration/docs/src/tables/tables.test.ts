import { coreExtension, createCatalog, type Engine, type Extension, TfError } from '@tf/core';
import { createReferenceEngine } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { generatedPages, isCurrent } from '../main.ts';
import { familyExtensions } from './families.ts';
import { promotionText } from './promotion-text.ts';
import { supportRows } from './support.ts';
import { supportText } from './support-text.ts';

describe('generated pages', () => {
  it('are what `pnpm support` writes', async () => {
    const stale = (await generatedPages()).filter((page) => !isCurrent(page)).map(({ path }) => path);
    expect(stale, 'run pnpm support').toEqual([]);
  }, 180_000);

  it('say of every pair of dtypes where they meet', () => {
    const lines = promotionText().split('\n');
    expect(lines).toContain('| **int64** | int64 | int64 | int64 | float32 | float64 | complex64 | complex128 |');
    expect(lines.find((line) => line.startsWith('| **int32** | int32 | float64 | int32 | float64 |'))).toBeDefined();
  });
});

describe('the support table', () => {
  /** Core with the rules of the named operations replaced. */
  const rowsWith = (rules: Extension['rules'], engines: readonly Engine[] = []): string => {
    const catalog = createCatalog(familyExtensions);
    const changed = { ...catalog, rule: (operation: Parameters<typeof catalog.rule>[0]) => rules[operation.name] ?? catalog.rule(operation) };
    return supportText(supportRows(engines, changed), engines);
  };

  it('shows a rule that is gone, another batch rule and an engine that refuses', () => {
    const exp = coreExtension.rules['exp'];
    const before = rowsWith({}).split('\n');
    expect(before.find((line) => line.startsWith('| `exp` |'))).toMatch(/\| rule \| derived \| traits \|$/);
    const lines = rowsWith({ exp: { kind: 'none', reason: 'a test' }, log: { ...exp!, batch: 'loop' }, tanh: { ...exp!, batch: { kind: 'none', reason: 'a test' } } }).split('\n');
    expect(lines.find((line) => line.startsWith('| `exp` |'))).toMatch(/\| – \| – \| traits \|$/);
    expect(lines.find((line) => line.startsWith('| `log` |'))).toMatch(/\| rule \| derived \| loop \|$/);
    expect(lines.find((line) => line.startsWith('| `tanh` |'))).toMatch(/\| rule \| derived \| – \|$/);
  }, 60_000);

  it('names the engine where only one runs an operation', () => {
    const whole = createReferenceEngine();
    const partial: Engine = {
      contract: whole.contract,
      info: { ...whole.info, name: 'partial' },
      disposed: false,
      stats: () => whole.stats(),
      upload: (dtype, shape, data) => whole.upload(dtype, shape, data),
      read: (buffer) => whole.read(buffer),
      dispose: () => whole.dispose(),
      compile: (plan) => {
        if (plan.steps.some(({ kind }) => kind === 'sort')) throw new TfError('UnsupportedOnEngineError', 'no sort');
        return whole.compile(plan);
      },
    };
    const lines = supportText(supportRows([whole, partial]), [whole, partial]).split('\n');
    expect(lines.find((line) => line.startsWith('| `sort` |'))).toContain(`| ${whole.info.name} | ${whole.info.name} |`);
    expect(lines.find((line) => line.startsWith('| `flip` |'))).not.toContain(whole.info.name);
    whole.dispose();
  }, 60_000);
});
