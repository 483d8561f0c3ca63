import { add, compileProgram, type Engine, mul, type Operand, type Program, sum } from '@tf/core';
import { grad, trace, type TracedTensor } from '@tf/traced';
import type { Prepared } from '../contender.ts';
import type { ScalingTask } from '../scaling.ts';
import type { Inputs } from '../workloads.ts';
import { inputNamed, type Prepare } from './adapter.ts';

/** The gradient of y = y·x + x until so many operations are done, as a program. */
function gradientProgram(x: Float64Array, operations: number): Program {
  const loss = (at: TracedTensor<'float64'>): TracedTensor<'float64'> => {
    let y: Operand = at;
    for (let done = 0; done < operations; done += 2) y = add(mul(y, at), at);
    return sum(y) as TracedTensor<'float64'>;
  };
  return trace(grad(loss), x as never).program;
}

/**
 * Building, compiling and running that program. Every compilation has an engine of its own, made outside the clock: none finds
 * what another one left.
 */
export function programTasks(engine: Engine, freshEngine: () => Engine): Readonly<Record<Exclude<ScalingTask, 'matrix chain gradients'>, Prepare>> {
  const given = (inputs: Inputs): Float64Array => inputNamed(inputs, 'x').values;
  const compiled = (program: Program, on: Engine): ReturnType<Engine['compile']> => on.compile(compileProgram(program, { kernels: on.kernels }));
  const valuesOn = (on: Engine, program: Program, x: Float64Array): Float64Array => {
    const [buffer] = compiled(program, on).run([{ dtype: 'float64', shape: [x.length], data: x }]);
    return on.read(buffer!) as Float64Array;
  };
  return {
    'program transform': (inputs, { size }): Prepared => {
      let program = gradientProgram(given(inputs), size);
      return { run: () => void (program = gradientProgram(given(inputs), size)), result: () => valuesOn(engine, program, given(inputs)) };
    },
    'program compile': (inputs, { size }): Prepared => {
      const program = gradientProgram(given(inputs), size);
      const elapsed = async (repetitions: number): Promise<number> => {
        let total = 0;
        for (let at = 0; at < repetitions; at++) {
          const own = freshEngine();
          const from = performance.now();
          compiled(program, own);
          total += performance.now() - from;
          own.dispose();
        }
        return total;
      };
      return { run: () => undefined, elapsed, result: () => valuesOn(engine, program, given(inputs)) };
    },
    'program run': (inputs, { size }): Prepared => {
      const program = gradientProgram(given(inputs), size);
      const executable = compiled(program, engine);
      const buffer = engine.upload('float64', [given(inputs).length], given(inputs));
      let [result] = executable.run([buffer]);
      return {
        run() {
          result?.dispose();
          [result] = executable.run([buffer]);
        },
        result: () => engine.read(result!) as Float64Array,
        dispose() {
          result?.dispose();
          buffer.dispose();
        },
      };
    },
  };
}
