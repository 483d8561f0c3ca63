import type { Engine } from '@tf/core';
import { hostValue } from '../../values.ts';
import { LawError } from '../law.ts';
import { gatherInside, nestedCases } from './nested-plans.ts';
import { asInput, type EngineLaw, onEngine, readValue, requireError } from './subject.ts';

/** Steps that run steps; every plan runs several times, so that what a run leaves behind is seen by the next. */
export const nestedStepsLaw: EngineLaw = {
  name: 'nested-steps',
  equation: 'a repeated step = its steps for every value of its counter; while and branch steps do what their values say; a run leaves no trace',
  check: (subject) => onEngine(subject, (engine) => {
    for (const { name, plan, runs } of nestedCases(engine)) {
      const executable = engine.compile(plan);
      runs.forEach(({ inputs, outputs }, run) => executable.run(inputs.map(asInput)).forEach((buffer, at) => {
        const [got, expected] = [Array.from(readValue(engine, buffer).data as ArrayLike<number>), outputs[at] as readonly number[]];
        buffer.dispose();
        if (got.join() !== expected.join()) throw new LawError('nested-steps', `${engine.info.name}: ${name}`, `run ${run}: output ${at} is [${got.join(', ')}], expected [${expected.join(', ')}].`);
      }));
    }
    checkAfterError(engine);
    return undefined;
  }),
};

/** An index out of range ends a run between iterations; the next run must not notice. */
function checkAfterError(engine: Engine): void {
  const dtype = (['float64', 'float32'] as const).find((of) => engine.info.dtypes.includes(of));
  if (dtype === undefined || !engine.info.dtypes.includes('int32')) return;
  const executable = engine.compile(gatherInside(dtype));
  const source = asInput(hostValue(dtype, [3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]));
  const run = (indices: readonly number[]): readonly number[] => executable.run([source, asInput(hostValue('int32', [3], indices))]).flatMap((buffer) => Array.from(engine.read(buffer) as ArrayLike<number>));
  for (let round = 0; round < 2; round++) {
    requireError('nested-steps', engine.info.name, 'an index out of range in the third iteration', ['IndexError'], () => run([0, 0, 3]));
    const got = run([2, -1, 0]).join();
    if (got !== '3,6,7') throw new LawError('nested-steps', engine.info.name, `after an error in the third iteration of a repeated step, the same plan gives [${got}] instead of [3,6,7].`);
  }
}
