import { compileProgram, type DeviceBuffer, identityOperation, reshape, tensorType, type TypedArray, type Operand, type Var, applyOperation } from '@tf/core';
import { programOf } from '../../programs.ts';
import { LawError } from '../law.ts';
import { type EngineLaw, onEngine } from './subject.ts';

/** Outputs are values of their own: they outlive inputs and each other, and nobody's later writes reach them. */
export const noAliasingLaw: EngineLaw = {
  name: 'no-aliasing',
  equation: 'memory(output) ∩ (memory(inputs) ∪ memory(other outputs)) = ∅',
  check: (subject) => onEngine(subject, (engine) => {
    const { name } = subject;
    const requireValues = (what: string, data: TypedArray): void => {
      if (Array.from(data as ArrayLike<number>).join() !== '1,2,3,4') throw new LawError('no-aliasing', name, `${what}: [${Array.from(data as ArrayLike<number>).join(', ')}], expected [1, 2, 3, 4].`);
    };
    const program = programOf((x) => [x as Var, applyOperation(identityOperation, [x as Operand], {})[0] as unknown as Var, reshape(x as Operand, [2, 2]) as unknown as Var], [tensorType('float32', [4])]);
    const f = engine.compile(compileProgram(program));
    const host = Float32Array.of(1, 2, 3, 4);
    const x = engine.upload('float32', [4], host);
    host.fill(9);
    requireValues('an upload after its host data changed', engine.read(x));
    (engine.read(x) as Float32Array).fill(8);
    requireValues('a buffer after a copy read from it changed', engine.read(x));
    const outputs = f.run([x]);
    if (new Set([x, ...outputs]).size !== 4) throw new LawError('no-aliasing', name, 'an input or an output was returned twice as one buffer.');
    x.dispose();
    overwriteFreed(() => engine.upload('float32', [4], Float32Array.of(7, 7, 7, 7)));
    outputs.forEach((output, at) => requireValues(`output ${at} after its input was disposed and the memory reused`, engine.read(output)));
    (outputs[0] as DeviceBuffer).dispose();
    overwriteFreed(() => engine.upload('float32', [4], Float32Array.of(6, 6, 6, 6)));
    outputs.slice(1).forEach((output, at) => requireValues(`output ${at + 1} after output 0 was disposed and the memory reused`, engine.read(output)));
    const data = Float32Array.of(1, 2, 3, 4);
    const [fromHost] = f.run([{ data, shape: [4] }]);
    data.fill(5);
    requireValues('an output after the host input changed', engine.read(fromHost as DeviceBuffer));
    const [first] = f.run([{ data: Float32Array.of(1, 2, 3, 4), shape: [4] }]);
    f.run([{ data: Float32Array.of(0, 0, 0, 0), shape: [4] }]);
    requireValues('an output after the next run', engine.read(first as DeviceBuffer));
    return undefined;
  }),
};

/** Takes memory that was just given back, if any was. */
function overwriteFreed(upload: () => DeviceBuffer): void {
  for (let times = 0; times < 4; times++) upload();
}
