import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import { applyOperation } from '../program/dispatch.ts';
import { Builder } from '../program/builder.ts';
import { compileProgram } from '../compile/compile.ts';
import type { DType } from '../types/dtype.ts';
import { tensorType } from '../types/tensor-type.ts';
import type { Atom, Params } from '../contract.ts';
import { coreExtension } from './extension.ts';

/** What no function of the library writes, and a text or a program built by hand may. */
const wrong: readonly Params[] = [
  {}, { axis: -1 }, { axes: [-1] }, { axes: [7] }, { axes: [0, 0] }, { axis: 9 }, { axis: 0.5 }, { order: 1e9 }, { perm: [1, 0, -1] }, { axis: 0, mode: 'beside' },
  { shape: [-1] }, { lhsContract: [-1], rhsContract: [0], lhsBatch: [], rhsBatch: [] }, { starts: [-1], sizes: [9] }, { lo: [-9], hi: [-9], inner: [-1] },
] as unknown as readonly Params[];

const operands = (builder: Builder, arity: number, dtype: DType, shape: readonly number[]): readonly Atom[] => Array.from({ length: arity }, (_, at) => builder.input(tensorType(dtype, shape), `x${at}`));

describe('parameters that no function writes', () => {
  it.each(coreExtension.operations)('$id refuses them, or runs by them', (operation) => {
    let tried = 0;
    for (const arity of [1, 2, 3]) for (const dtype of ['float64', 'int32', 'bool'] as const) for (const shape of [[], [3], [3, 3], [0]]) for (const params of wrong) {
      tried++;
      const builder = new Builder();
      try {
        compileProgram(builder.build(applyOperation(operation, operands(builder, arity, dtype, shape) as never, params) as readonly Atom[]));
      } catch (error) {
        if (!isTfError(error)) throw new Error(`${operation.id}(${dtype}[${shape.join()}] × ${arity}) with ${JSON.stringify(params)}: ${String(error)}`, { cause: error });
        expect(error.name).not.toBe('InvariantError');
      }
    }
    expect(tried).toBe(3 * 3 * 4 * wrong.length);
  });

  it.each([['sum', { axes: [-1] }], ['reduceMax', { axes: [-1] }], ['flip', { axes: [-1] }], ['cumsum', { axis: -1 }], ['sort', { axis: -1 }], ['transpose', { perm: [0, -1] }]] as const)('%s counts axes from the front', (name, params) => {
    const operation = coreExtension.operations.find((known) => known.name === name)!;
    const builder = new Builder();
    expect(() => applyOperation(operation, operands(builder, 1, 'float64', [2, 3]) as never, params as unknown as Params)).toThrow(/a parameter counts axes from the front: 1/);
  });
});
