/** What the kernels of factorisations have in common: batches, precisions, values that are not finite, elements without a result. */
import type { DType, HostKernel, TypedArray } from '@tf/core';
import { kernelSymbol } from '../family.ts';
import { complexField, type Field, realField } from './field.ts';

/** One element of a batch. Floating operands are copies in float64, to be overwritten at will; others are what they are. */
export interface FactorCall {
  readonly field: Field;
  readonly inputs: readonly Float64Array[];
  /** The integer operands among the inputs, in order. */
  readonly indices: readonly Int32Array[];
  /** Floating outputs, all 0 before. */
  readonly outputs: readonly Float64Array[];
  /** The integer outputs, in order. */
  readonly integerOutputs: readonly (Int32Array | BigInt64Array)[];
  readonly integers: readonly number[];
}

export interface FactorDefinition {
  readonly name: string;
  /** Computes the outputs; false: there is no result. */
  readonly run: (call: FactorCall) => boolean | void;
  /** Whether what is read of the inputs is finite; of all of them when absent. */
  readonly isFinite?: (call: FactorCall) => boolean;
  readonly failure?: string;
}

type Numbers = Float32Array | Float64Array;

const isFloating = (array: TypedArray): array is Numbers => array instanceof Float64Array || array instanceof Float32Array;

/** The kernel of one name in all dtypes. */
export function factorKernels(definition: FactorDefinition): Readonly<Record<string, HostKernel>> {
  const ofField = (dtypes: readonly DType[], field: Field): readonly (readonly [string, HostKernel])[] => dtypes.map((dtype) => [kernelSymbol(definition.name, dtype), kernelOf(definition, field)]);
  return Object.fromEntries([...ofField(['float32', 'float64'], realField), ...ofField(['complex64', 'complex128'], complexField)]);
}

function kernelOf(definition: FactorDefinition, field: Field): HostKernel {
  const { failure } = definition;
  return {
    ...(failure === undefined ? {} : { failure, failureError: 'LinalgError' as const }),
    run({ inputs, outputs, integers }) {
      const [batch] = integers as readonly [number];
      let failed: number | undefined;
      for (let which = 0; which < batch; which++) {
        const part = <A extends TypedArray>(array: A): A => array.subarray((array.length / batch) * which, (array.length / batch) * (which + 1)) as A;
        if (!runElement(definition, field, inputs.map(part), outputs.map(part), integers)) failed ??= which;
      }
      return failed;
    },
  };
}

/**
 * One element. Where an input is not finite the floating outputs are NaN, and the integer ones those of zeros, without any failure; where
 * there is no result they are NaN too.
 */
function runElement({ run, isFinite = allFinite }: FactorDefinition, field: Field, inputs: readonly TypedArray[], outputs: readonly TypedArray[], integers: readonly number[]): boolean {
  const scratch = outputs.map((output) => (isFloating(output) ? new Float64Array(output.length) : undefined));
  const call: FactorCall = {
    field,
    inputs: inputs.filter(isFloating).map((input) => Float64Array.from(input)),
    indices: inputs.filter((input) => !isFloating(input)) as readonly Int32Array[],
    outputs: scratch.filter((output) => output !== undefined),
    integerOutputs: outputs.filter((output) => !isFloating(output)) as readonly Int32Array[],
    integers,
  };
  const finite = isFinite(call);
  if (!finite) for (const input of call.inputs) input.fill(0);
  const found = run(call) !== false;
  outputs.forEach((output, at) => {
    const values = scratch[at];
    if (values !== undefined) (output as Numbers).set(finite && found ? values : values.fill(NaN));
  });
  return found || !finite;
}

function allFinite({ inputs }: FactorCall): boolean {
  return inputs.every((input) => input.every(Number.isFinite));
}
