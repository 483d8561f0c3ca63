import { add, compileProgram, exp, mul, type Operand, sum, symbolicDim, tensorType, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { createRandom, randomValues } from '../../random.ts';
import { LawError } from '../law.ts';
import { asInput, checkCase, type EngineLaw, onEngine } from './subject.ts';

/** Compiled code is generic in extents; equal plans are one executable. */
export const oneModuleLaw: EngineLaw = {
  name: 'one-module',
  equation: 'modulesCompiled does not depend on the sizes bound; equal plans give the same executable',
  check: (subject) => onEngine(subject, (engine) => {
    const n = symbolicDim('n');
    const program = programOf((x, y) => sum(exp(mul(add(x as Operand, y as Operand) as Operand, x as Operand) as Operand) as Operand, { axes: 1 }) as unknown as Var, [tensorType('float32', [n, 3]), tensorType('float32', [3])]);
    const executable = engine.compile(compileProgram(program));
    const before = engine.stats().modulesCompiled;
    for (const size of [1, 0, 2, 3, 5, 8, 64, 129, 1]) {
      const inputs = [randomValues('float32', [size, 3], createRandom(size)), randomValues('float32', [3], createRandom(1))];
      for (const output of executable.run(inputs.map(asInput))) output.dispose();
      checkCase('one-module', engine, { name: `n = ${size}`, dtype: 'float32', program, inputs, bits: true });
    }
    const { modulesCompiled } = engine.stats();
    if (modulesCompiled - before > 1) throw new LawError('one-module', subject.name, `9 sizes of one plan compiled ${modulesCompiled - before} modules; there is one at most.`);
    if (engine.compile(compileProgram(program)) !== executable) throw new LawError('one-module', subject.name, 'an equal plan gave another executable.');
    return undefined;
  }),
};
