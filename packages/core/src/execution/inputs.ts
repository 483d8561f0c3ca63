/** What a run is given: errors and look-ups that every engine shares. */
import type { DeviceBuffer, EngineInput, Plan } from '../contract.ts';
import { TfError } from '../errors.ts';
import { type Dim, type DimBinding, evaluateDim } from '../types/dim.ts';

const noAxes: readonly number[] = Object.freeze([]);

export function requireCount({ inputs: { length: expected } }: Plan, got: number): void {
  if (got === expected) return;
  throw new TfError('ArgumentError', `run: the plan takes ${expected} inputs, got ${got}.`, { op: 'run', argument: 'inputs', expected, got });
}

/** For what is neither a buffer of the engine, nor host data, nor a number. */
export function wrongInput(index: number, input: unknown): TfError {
  if (typeof input === 'object' && input !== null) return new TfError('ForeignValueError', `run: input ${index} belongs to another engine. Read it there and upload the values here.`, { op: 'run', argument: `input ${index}` });
  return new TfError('ArgumentError', `run: input ${index} must be a buffer of this engine, { data, shape } or a number, got ${input === null ? 'null' : typeof input}.`, { op: 'run', argument: `input ${index}` });
}

export function disposedInput(index: number, { donated = false }: Pick<DeviceBuffer, 'donated'>): TfError {
  if (donated) return new TfError('DisposedError', `run: input ${index} was donated to a run before. Use the outputs of that run, or do not donate what is needed afterwards.`, { op: 'run', argument: `input ${index}`, donated });
  return new TfError('DisposedError', `run: input ${index} was disposed. Keep it until its last use, or compute it again.`, { op: 'run', argument: `input ${index}` });
}

/** For `read` of a buffer that is another engine's, was donated, or was disposed. */
export function unreadable(engine: string, why: 'foreign' | 'donated' | 'disposed'): TfError {
  if (why === 'foreign') return new TfError('ForeignValueError', 'read: this buffer belongs to another engine; read it there.', { op: 'read', engine });
  if (why === 'donated') return new TfError('DisposedError', 'read: this buffer was donated to a run, and its memory with it. Read it before, or do not donate it.', { op: 'read', engine, donated: true });
  return new TfError('DisposedError', 'read: this buffer was disposed. Read it before disposing it.', { op: 'read', engine });
}

export function disposedEngine(engine: string): TfError {
  return new TfError('DisposedError', `${engine}: this engine was disposed. Create a new one with createEngine().`, { engine });
}

/** For a kernel that runs a plan while its own is running. */
export function reentered(engine: string): TfError {
  return new TfError('EngineFaultError', 'run: a kernel of an execution module used the engine while it ran, whose memory its plan needs. A kernel computes with what it is given; combine operations in a program.', { op: 'run', engine });
}

/** A number has no axes. */
export function shapeOfInput(input: EngineInput): readonly number[] {
  return typeof input === 'number' ? noAxes : input.shape;
}

/** Per input or output, the buffers of the plan that it is. */
export function buffersAt(plan: Plan, kind: 'input' | 'output', count: number): readonly (readonly number[])[] {
  const buffers = Array.from({ length: count }, (): number[] => []);
  plan.buffers.forEach(({ place }, buffer) => {
    if (place.kind === kind) buffers[place.index]!.push(buffer);
  });
  return buffers;
}

/** Evaluates each distinct extent once. */
export function dimValue(binding: DimBinding): (dim: Dim) => number {
  const known = new Map<string, number>();
  return (dim) => {
    if (typeof dim === 'number') return dim;
    let value = known.get(dim.text);
    if (value === undefined) {
      value = evaluateDim(dim, binding);
      known.set(dim.text, value);
    }
    return value;
  };
}
