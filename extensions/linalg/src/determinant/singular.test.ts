/** Determinants of singular matrices: polynomials, whose derivatives are right whatever the rank. */
import { AdContext, createCatalog, type Operand, type Var } from '@tf/core';
import { applyLaw, createSubject, extensionLaws, type HostValue, hostValue } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { referenceOperations } from '../../reference.testing.ts';
import { linalgExtension } from '../extension.ts';
import { linalgHost } from '../modules/host.ts';
import { det } from './determinant.ts';

/** A matrix of exactly this rank: a product of small integers. */
function ofRank(dtype: 'float64' | 'complex128', rank: number): HostValue {
  const size = 4;
  const lanes = dtype === 'complex128' ? 2 : 1;
  const part = (i: number, j: number, lane: number): number => ((3 * i + 5 * j + 7 * lane) % 5) - 2 + (i === j && lane === 0 ? 3 : 0);
  const data: number[] = [];
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let [re, im] = [0, 0];
      for (let k = 0; k < rank; k++) {
        const [p, q, r, s] = [part(i, k, 0), lanes === 2 ? part(i, k, 1) : 0, part(k, j, 0), lanes === 2 ? part(k, j + 1, 1) : 0];
        re += p * r - q * s;
        im += p * s + q * r;
      }
      data.push(re, ...(lanes === 2 ? [im] : []));
    }
  }
  return hostValue(dtype, [size, size], data);
}

// Not the law that each rule is linear: that of LU itself, which is not asked for here, has no pivots to divide by.
const laws = extensionLaws.filter(({ name }) => ['derivative', 'adjoint', 'second-order', 'batch'].includes(name));

describe.each(['float64', 'complex128'] as const)('%s', (dtype) => {
  it.each([4, 3, 2, 1, 0])('has the derivatives of a determinant of 4 rows and rank %i', async (rank) => {
    const subject = createSubject({
      name: `det of rank ${rank}`, f: (x) => det(x as Operand) as Var, inputs: [ofRank(dtype, rank)], seed: rank,
      extension: linalgExtension, context: new AdContext({ catalog: createCatalog([linalgExtension]) }), operations: referenceOperations(linalgExtension.operations, linalgHost()),
    });
    expect(laws).toHaveLength(4);
    for (const law of laws) await applyLaw(law, subject);
  });
});
