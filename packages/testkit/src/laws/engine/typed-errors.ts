import { compileProgram, type Engine, type EngineInput, mul, type Operand, symbolicDim, take, tensorType, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { LawError } from '../law.ts';
import { type EngineLaw, type EngineSubject, onEngine, requireError } from './subject.ts';

const f32 = (...values: readonly number[]): EngineInput => ({ data: Float32Array.from(values), shape: [values.length] });

/** Each wrong input is a typed error, after which the engine works and holds no more than before. */
export const typedErrorsLaw: EngineLaw = {
  name: 'typed-errors',
  equation: 'wrong input ⇒ the error that names it; the engine survives and loses no memory',
  check: async (subject) => {
    const other = await subject.create({ modules: [] });
    try {
      return await onEngine(subject, (engine) => {
        checkErrors(subject, engine, other);
        return undefined;
      });
    } finally {
      other.dispose();
    }
  },
};

/** Twice: executables may keep what their first runs needed, a second round must add nothing. */
function checkErrors(subject: EngineSubject, engine: Engine, other: Engine): void {
  tryAll(subject, engine, other);
  const before = engine.stats();
  tryAll(subject, engine, other);
  const after = engine.stats();
  if (after.liveBuffers !== before.liveBuffers || after.bytesInUse !== before.bytesInUse) throw new LawError('typed-errors', subject.name, `the errors left ${after.liveBuffers - before.liveBuffers} buffers and ${after.bytesInUse - before.bytesInUse} bytes behind.`);
}

function tryAll({ name }: EngineSubject, engine: Engine, other: Engine): void {
  const wrong = (what: string, names: readonly string[], body: () => unknown): unknown => requireError('typed-errors', name, what, names, body);
  const square = engine.compile(compileProgram(programOf((x, y) => mul(x as Operand, y as Operand) as unknown as Var, [tensorType('float32', [3]), tensorType('float32', [3])])));
  const n = symbolicDim('n');
  const symbolic = engine.compile(compileProgram(programOf((x, y) => mul(x as Operand, y as Operand) as unknown as Var, [tensorType('float32', [n]), tensorType('float32', [n])])));
  const good = f32(1, 2, 3);
  wrong('one input of two', ['ArgumentError'], () => square.run([good]));
  wrong('a vector of 2 for one of 3', ['ShapeError'], () => square.run([good, f32(1, 2)]));
  wrong('float64 data for float32', ['DTypeError'], () => square.run([good, { data: Float64Array.of(1, 2, 3), shape: [3] }]));
  wrong('2 values for shape [3]', ['DataLengthError'], () => square.run([good, { data: Float32Array.of(1, 2), shape: [3] }]));
  wrong('two sizes for one symbol', ['ShapeError', 'ConstraintError'], () => symbolic.run([good, f32(1, 2)]));
  wrong('an upload of 2 values for shape [3]', ['DataLengthError'], () => engine.upload('float32', [3], Float32Array.of(1, 2)));
  wrong('an upload of float64 data as float32', ['DTypeError'], () => engine.upload('float32', [1], Float64Array.of(1)));
  const gone = engine.upload('float32', [3], Float32Array.of(1, 2, 3));
  gone.dispose();
  wrong('a disposed buffer', ['DisposedError'], () => square.run([good, gone]));
  wrong('reading a disposed buffer', ['DisposedError'], () => engine.read(gone));
  const foreign = other.upload('float32', [3], Float32Array.of(1, 2, 3));
  wrong('a buffer of another engine', ['ForeignValueError'], () => square.run([good, foreign]));
  wrong('reading a buffer of another engine', ['ForeignValueError'], () => engine.read(foreign));
  if (engine.info.dtypes.includes('int32')) {
    const picking = engine.compile(compileProgram(programOf((x, i) => take(x as Operand, i as never) as unknown as Var, [tensorType('float32', [3]), tensorType('int32', [1])])));
    wrong('an index out of range', ['IndexError'], () => picking.run([good, { data: Int32Array.of(3), shape: [1] }]));
    wrong('an index below −n', ['IndexError'], () => picking.run([good, { data: Int32Array.of(-4), shape: [1] }]));
  }
  const [output] = square.run([good, good]);
  const values = output === undefined ? [] : Array.from(engine.read(output) as ArrayLike<number>);
  output?.dispose();
  if (values.join() !== '1,4,9') throw new LawError('typed-errors', name, `after the errors [1, 2, 3] squared is [${values.join(', ')}].`);
}
