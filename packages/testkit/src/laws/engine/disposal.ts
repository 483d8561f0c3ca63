import { compileProgram, exp, type Operand, tensorType, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { LawError } from '../law.ts';
import { type EngineLaw, onEngine, requireError } from './subject.ts';

export const disposalLaw: EngineLaw = {
  name: 'disposal',
  equation: 'dispose gives memory back once; a second call does nothing; nothing disposed is used again',
  check: (subject) => onEngine(subject, (engine) => {
    const { name } = subject;
    const f = engine.compile(compileProgram(programOf((x) => exp(exp(x as Operand) as Operand) as unknown as Var, [tensorType('float32', [64])])));
    // An executable may keep what its first run needed.
    for (const output of f.run([{ data: new Float32Array(64), shape: [64] }])) output.dispose();
    const start = engine.stats();
    const x = engine.upload('float32', [64], new Float32Array(64));
    const same = (what: string, wanted: { readonly liveBuffers: number; readonly bytesInUse: number }): void => {
      const { liveBuffers, bytesInUse } = engine.stats();
      if (liveBuffers !== wanted.liveBuffers || bytesInUse !== wanted.bytesInUse) throw new LawError('disposal', name, `${what}: ${liveBuffers} buffers and ${bytesInUse} bytes in use, expected ${wanted.liveBuffers} and ${wanted.bytesInUse}.`);
    };
    const held = engine.stats();
    if (held.liveBuffers !== start.liveBuffers + 1 || held.bytesInUse < start.bytesInUse + 256) throw new LawError('disposal', name, `an upload of 256 bytes counts as ${held.bytesInUse - start.bytesInUse} bytes in ${held.liveBuffers - start.liveBuffers} buffers.`);
    for (let step = 0; step < 20; step++) for (const output of f.run([x])) output.dispose();
    same('after 20 runs, each output disposed', held);
    x.dispose();
    same('after disposing the input', start);
    x.dispose();
    same('after disposing it twice', start);
    if (!x.disposed) throw new LawError('disposal', name, 'a disposed buffer says that it is not.');
    const kept = engine.upload('float32', [1], Float32Array.of(1));
    engine.dispose();
    if (!engine.disposed || !kept.disposed) throw new LawError('disposal', name, 'a disposed engine, or a buffer of one, says that it is not.');
    engine.dispose();
    kept.dispose();
    requireError('disposal', name, 'uploading to a disposed engine', ['DisposedError'], () => engine.upload('float32', [1], Float32Array.of(1)));
    requireError('disposal', name, 'running on a disposed engine', ['DisposedError'], () => f.run([{ data: new Float32Array(64), shape: [64] }]));
    return undefined;
  }),
};
