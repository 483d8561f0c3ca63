/** Adjoints by blocks: of matrices that are parted, which wide ones are not. */
import { AdContext, createCatalog, type Operand, type Var } from '@tf/core';
import { applyLaw, createRandom, createSubject, extensionLaws, randomValues } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { referenceOperations } from '../../reference.testing.ts';
import { linalgExtension } from '../extension.ts';
import { linalgHost } from '../modules/host.ts';
import { qr } from './qr.ts';

const laws = extensionLaws.filter(({ name }) => ['vjp-agreement', 'adjoint'].includes(name));
const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const operations = referenceOperations(linalgExtension.operations, linalgHost());

const factorsOf = (a: Operand): unknown => { const { q, r } = qr(a); return [q, r]; };

async function tried(f: (a: Operand) => unknown, dtype: 'float64' | 'complex128', shape: readonly number[]): Promise<void> {
  const subject = createSubject({ name: `${dtype} ${shape.join('×')}`, f: (x) => f(x as Operand) as Var, inputs: [randomValues(dtype, shape, createRandom(shape[0]!))], extension: linalgExtension, context, operations });
  expect(laws).toHaveLength(2);
  for (const law of laws) await applyLaw(law, subject);
}

// The reference interpreter takes seconds for matrices of this size.
describe('the adjoint by blocks is that of the formula', { timeout: 120_000 }, () => {
  it('of Q and R', async () => {
    await tried(factorsOf, 'float64', [70, 65]);
    await tried(factorsOf, 'complex128', [65, 65]);
  });

  it('of Q alone', () => tried((a) => qr(a).q, 'float64', [66, 66]));
  it('of R alone', () => tried((a) => qr(a).r, 'float64', [66, 66]));
});
