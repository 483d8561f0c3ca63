/** Adjoints by blocks: of matrices that are parted, also when they are not square. */
import { AdContext, createCatalog, type Operand, type Var } from '@tf/core';
import { applyLaw, createRandom, createSubject, extensionLaws, randomValues } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { referenceOperations } from '../../reference.testing.ts';
import { definite } from '../cases/systems.ts';
import { cholesky } from '../cholesky/operation.ts';
import { linalgExtension } from '../extension.ts';
import { linalgHost } from '../modules/host.ts';
import { fullPivLu, lu } from './lu.ts';

const laws = extensionLaws.filter(({ name }) => ['vjp-agreement', 'adjoint'].includes(name));
const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const operations = referenceOperations(linalgExtension.operations, linalgHost());

async function tried(f: (a: Operand) => unknown, dtype: 'float64' | 'complex128', shape: readonly number[]): Promise<void> {
  const subject = createSubject({ name: `${dtype} ${shape.join('×')}`, f: (x) => f(x as Operand) as Var, inputs: [randomValues(dtype, shape, createRandom(shape[0]!))], extension: linalgExtension, context, operations });
  expect(laws).toHaveLength(2);
  for (const law of laws) await applyLaw(law, subject);
}

describe.each(['float64', 'complex128'] as const)('%s', { timeout: 120_000 }, (dtype) => {
  it.each([[50, 50], [98, 52], [52, 97], [3, 60], [60, 3]])('is that of the formula, for LU of %i×%i', async (m, n) => {
    const factors = ({ l, u }: { readonly l: unknown; readonly u: unknown }): readonly unknown[] => [l, u];
    await tried((a) => factors(lu(a)), dtype, [m, n]);
    if (m < 50) await tried((a) => factors(fullPivLu(a)), dtype, [m, n]);
  });

  it.each(dtype === 'float64' ? [49, 97] : [49])('is that of the formula, for Cholesky factors of %i', async (n) => {
    await tried((a) => cholesky(definite(a)), dtype, [n, n]);
    if (n < 60) await tried((a) => cholesky(definite(a), { upper: true }), dtype, [n, n]);
  });
});
