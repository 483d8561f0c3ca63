import { type Control, type DimBinding, dtypes, evaluateDim, type Program, type TensorType } from '@tf/core';
import { countOf, extentsOf, type HostValue, hostValue, setLane, zerosOf } from '../values.ts';

type Run = (region: Program, inputs: readonly HostValue[]) => readonly HostValue[];

/** What an operation computes that runs programs. */
export function runControl(control: Control, inputs: readonly HostValue[], types: readonly TensorType[], binding: DimBinding, run: Run): readonly HostValue[] {
  switch (control.kind) {
    case 'call':
      return run(control.body, inputs);
    case 'branch': {
      const index = Number((inputs[0] as HostValue).data[0]);
      return run(control.branches[Math.min(control.branches.length - 1, Math.max(0, index))] as Program, inputs.slice(1));
    }
    case 'scan':
      return runScan(control, inputs, types, evaluateDim(control.length, binding), run);
    case 'while':
      return runWhile(control, inputs, run);
  }
}

type Of<K extends Control['kind']> = Extract<Control, { readonly kind: K }>;

function runScan({ body, constants, carries, reverse }: Of<'scan'>, inputs: readonly HostValue[], types: readonly TensorType[], length: number, run: Run): readonly HostValue[] {
  const fixed = inputs.slice(0, constants);
  let carried = inputs.slice(constants, constants + carries);
  const stacks = inputs.slice(constants + carries);
  const results = types.slice(carries).map(zerosOf);
  for (let i = 0; i < length; i++) {
    const at = reverse ? length - 1 - i : i;
    const outputs = run(body, [...fixed, ...carried, ...stacks.map((stack) => sliceOf(stack, at))]);
    carried = outputs.slice(0, carries);
    outputs.slice(carries).forEach((value, which) => putSlice(results[which] as HostValue, at, value));
  }
  return [...carried, ...results];
}

function runWhile({ condition, body, conditionConstants, bodyConstants }: Of<'while'>, inputs: readonly HostValue[], run: Run): readonly HostValue[] {
  const tested = inputs.slice(0, conditionConstants);
  const fixed = inputs.slice(conditionConstants, conditionConstants + bodyConstants);
  let carried = inputs.slice(conditionConstants + bodyConstants);
  while (Number((run(condition, [...tested, ...carried])[0] as HostValue).data[0]) !== 0) carried = [...run(body, [...fixed, ...carried])];
  return carried;
}

function sliceOf(stack: HostValue, at: number): HostValue {
  const shape = extentsOf(stack).slice(1);
  const lanes = countOf(shape) * dtypes[stack.type.dtype].lanes;
  return hostValue(stack.type.dtype, shape, Array.from({ length: lanes }, (_, lane) => stack.data[at * lanes + lane] as number | bigint));
}

function putSlice(stack: HostValue, at: number, value: HostValue): void {
  for (let lane = 0; lane < value.data.length; lane++) setLane(stack.data, at * value.data.length + lane, value.data[lane] as number | bigint);
}
