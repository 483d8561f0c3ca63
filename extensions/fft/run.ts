/** Functions of the package carried out by an engine, without a front end. */
import { compileProgram, type Engine, tensorType, type TypedArray } from '@tf/core';
import { type HostValue, programOf, type VarFunction } from '@tf/testkit';

/** What a function gives for these values. */
export function runOn(engine: Engine, f: VarFunction, inputs: readonly HostValue[]): readonly TypedArray[] {
  const program = programOf(f, inputs.map(({ type }) => tensorType(type.dtype, type.shape)));
  const executable = engine.compile(compileProgram(program, engine.kernels === undefined ? {} : { kernels: engine.kernels }));
  const outputs = executable.run(inputs.map(({ type, data }) => ({ data, shape: type.shape as readonly number[] })));
  return outputs.map((output) => {
    const data = engine.read(output);
    output.dispose();
    return data;
  });
}
