import type { DeviceBuffer, Literal } from '@tf/core';
import type { Bound, RuntimeCore } from './core.ts';
import type { Script } from './script.ts';
import { literalRecord, type ValueRecord } from './value.ts';

/** Runs a script; intermediate values are given back as soon as nothing needs them. */
export function runScript(core: RuntimeCore, { engine, state }: Pick<Bound, 'engine' | 'state'>, script: Script, inputs: readonly ValueRecord[]): readonly ValueRecord[] {
  const values = new Array<ValueRecord | undefined>(script.values);
  for (let at = 0; at < script.inputs; at++) values[at] = inputs[at];
  const value = (at: number | Literal): ValueRecord => (typeof at === 'number' ? (values[at] as ValueRecord) : literalRecord(core.types.of(at.type), at));
  for (const { instruction, inputs: operands, outputs, last } of script.steps) {
    const records = operands.map(value);
    const entry = core.operations.find(instruction.operation, records, instruction.params);
    const buffers = core.execute(engine, state, entry, records);
    for (let at = 0; at < outputs.length; at++) values[outputs[at] as number] = core.own(entry, at, buffers[at] as DeviceBuffer);
    for (const gone of last) {
      values[gone]?.buffer?.dispose();
      values[gone] = undefined;
    }
  }
  return script.outputs.map(value);
}
