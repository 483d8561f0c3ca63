/** Functions run on an engine, for batches of matrices. */
import { compileProgram, type Engine, type Operand, tensorType, type TypedArray, type Var } from '@tf/core';
import { programOf } from '@tf/testkit';
import { type KernelDType, packed, unpacked } from './kernels.testing.ts';
import type { Matrix } from './src/host/matrix.ts';

/** Of every result its elements of the batch: matrices, vectors as columns. */
export type Results<Name extends string> = Readonly<Record<Name, readonly Matrix[]>>;

function joined(dtype: KernelDType, matrices: readonly Matrix[]): TypedArray {
  const parts = matrices.map((a) => packed(dtype, a));
  const data = new (parts[0]!.constructor as Float64ArrayConstructor)(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (data.set(part, at), at + part.length), 0);
  return data as TypedArray;
}

/** One program for all of `f`, whose operands are batches of matrices of one shape each. */
export function runOnMatrices<Name extends string>(engine: Engine, dtype: KernelDType, inputs: readonly (readonly Matrix[])[], f: (...operands: readonly Operand[]) => Readonly<Record<Name, unknown>>): Results<Name> {
  const shapes = inputs.map((matrices) => [matrices.length, matrices[0]!.rows, matrices[0]!.columns]);
  let names: readonly Name[] = [];
  const program = programOf((...operands) => {
    const results = f(...(operands as unknown as readonly Operand[]));
    names = Object.keys(results) as Name[];
    return names.map((name) => results[name] as Var);
  }, shapes.map((shape) => tensorType(dtype, shape)));
  const buffers = engine.compile(compileProgram(program, { kernels: engine.kernels })).run(inputs.map((matrices, at) => ({ data: joined(dtype, matrices), shape: shapes[at]! })));
  return Object.fromEntries(buffers.map((buffer, at): [Name, readonly Matrix[]] => {
    const [count = 1, rows = 1, columns = 1] = buffer.shape;
    const data = engine.read(buffer);
    buffer.dispose();
    const each = data.length / count;
    const element = (from: number): Matrix => unpacked(buffer.dtype === 'int32' ? 'float64' : (buffer.dtype as KernelDType), data.subarray(from * each, (from + 1) * each) as TypedArray, rows, columns);
    return [names[at]!, Array.from({ length: count }, (_, from) => element(from))];
  })) as Results<Name>;
}

