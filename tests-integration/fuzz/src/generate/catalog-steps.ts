import { type Catalog, type Dim, type DType, isTfError, type Operand, type Operation, type TensorType, tensorType } from '@tf/core';
import { applyTo, any, fitting, sameDType, step, type StepKind, type Take } from './step.ts';

/** What steps of other names do. */
const otherwise: readonly string[] = ['gather', 'scatterAdd', 'scatterSet', 'scatterMax', 'scatterMin'];

/**
 * Steps for operations of a catalog that no step of the tables is named after: those without parameters that take one to
 * three operands of one dtype, such as a function that core has just got.
 */
export function catalogSteps(catalog: Catalog, tables: { readonly [name: string]: StepKind }): { readonly [name: string]: StepKind } {
  const rest = catalog.extensions.flatMap(({ operations }) => operations).filter(({ name }) => !Object.hasOwn(tables, name) && !otherwise.includes(name));
  return Object.fromEntries(rest.flatMap((operation) => {
    const found = takesOf(operation);
    return found === undefined ? [] : [[operation.name, stepOf(operation, found)]];
  }));
}

interface Signature {
  readonly operands: number;
  readonly dtypes: readonly DType[];
}

function takesOf(operation: Operation): Signature | undefined {
  for (const operands of [1, 2, 3]) {
    const dtypes = (['float64', 'float32', 'complex128', 'complex64', 'int32', 'int64', 'bool'] as const).filter((dtype) => infers(operation, new Array<TensorType>(operands).fill(tensorType(dtype, [] as Dim[]))));
    if (dtypes.length > 0) return { operands, dtypes };
  }
  return undefined;
}

function infers(operation: Operation, types: readonly TensorType[]): boolean {
  try {
    return operation.infer(types, {}, () => {}).length === 1;
  } catch (error) {
    // Parameters that are missing may break an inference rule in any way.
    return !isTfError(error) && !(error instanceof TypeError) ? rethrow(error) : false;
  }
}

function rethrow(error: unknown): never {
  throw error;
}

function stepOf(operation: Operation, { operands, dtypes }: Signature): StepKind {
  const take: Take = (type) => dtypes.includes(type.dtype);
  const takes = Array.from({ length: operands }, (_, at) => (at === 0 ? take : sameDType(fitting(any))));
  return step(takes, (given: readonly Operand[]) => applyTo(operation, given), 5);
}
