import { allocate, Builder, compileProgram, type DType, dtypes, identityOperation, tensorType } from '@tf/core';
import { type EngineLaw, onEngine, requireError } from './subject.ts';

/** What an engine does not declare it refuses by name, before it runs. */
export const refusalLaw: EngineLaw = {
  name: 'refusal',
  equation: 'dtype ∉ info.dtypes ⇒ upload and compile throw UnsupportedOnEngineError',
  check: (subject) => onEngine(subject, (engine) => {
    for (const dtype of Object.keys(dtypes) as DType[]) {
      if (engine.info.dtypes.includes(dtype)) continue;
      const builder = new Builder();
      const x = builder.input(tensorType(dtype, [2]));
      const plan = compileProgram(builder.build(builder.emit(identityOperation, [x], {})));
      requireError('refusal', engine.info.name, `upload of ${dtype}`, ['UnsupportedOnEngineError'], () => engine.upload(dtype, [2], allocate(dtype, 2)));
      requireError('refusal', engine.info.name, `a plan with ${dtype}`, ['UnsupportedOnEngineError'], () => engine.compile(plan));
    }
    return undefined;
  }),
};
