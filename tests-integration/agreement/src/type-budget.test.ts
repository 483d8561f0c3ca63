import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** What a user writes: operands of every kind, dtypes that meet, transforms of functions of trees, loops, and methods. */
const sample = `
import { add, cond, convert, exp, fori, getAt, type HostTensor, less, matmul, mean, mul, scan, select, softmax, sum, take, tensor, whileLoop } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, hessian, jit, jvp, type TracedTensor, valueAndGrad, vmap } from '@tf/traced';

type T = TracedTensor<'float64'>;
const engine = await createEngine();
const host: HostTensor<'float32'> = add(tensor(Float32Array.of(1, 2)), tensor(Int32Array.of(1, 2)));
const shares: HostTensor<'float64'> = softmax(exp(tensor(Int32Array.of(1, 2))));
const counts: HostTensor<'int32'> = sum(less(shares, 0.5));
const loss = (weights: { readonly w: T; readonly b: T }, x: T): T => matmul(x, weights.w).add(weights.b).tanh().pow(2).mean();
const step = jit((weights: { readonly w: T; readonly b: T }, x: T) => valueAndGrad(loss)(weights, x), { engine });
const curvature = jit(hessian((x: T) => mul(x, exp(x)).sum()), { engine });
const pushed = jit((x: T) => jvp((y: T) => select(less(y, 0), y.neg(), y.sqrt()), [x], [x]), { engine });
const rows = jit(vmap((row: T, i: TracedTensor<'int32'>) => take(row, i).mul(getAt(row, [0]))), { engine });
const looped = jit((x: T) => fori(3, (i, c: T) => cond(less(i, 1), (d: T) => d.mul(2), (d: T) => d.sub(1), c), x), { engine });
const summed = jit((x: T) => scan((c: T, row: T) => [c.add(row), c.mul(row)] as const, x.sum({ axes: 0 }), x), { engine });
const doubled = jit((x: T) => whileLoop((y: T) => less(y, 100), (y: T) => y.mul(2), x, { maxSteps: 9 }), { engine });
const runtime = new EagerRuntime();
runtime.session(engine, () => {
  const w = runtime.variable([1, 2]);
  const value = mean(mul(convert(w, 'float64'), add(w, host))).add(w.sum().mul(3)).max();
  value.backward();
});
export { counts, curvature, doubled, grad, looped, pushed, rows, step, summed };
`;

const folder = fileURLToPath(new URL('./', import.meta.url));

function checked(text: string): { readonly instantiations: number; readonly faults: readonly string[] } {
  const path = resolve(folder, 'type-budget.sample.ts');
  const config = ts.getParsedCommandLineOfConfigFile(resolve(folder, '../tsconfig.json'), { noEmit: true, composite: false, incremental: false }, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined });
  const options: ts.CompilerOptions = { ...config?.options, module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, noUnusedLocals: false };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? text : readFile(name));
  host.getSourceFile = (name, languageVersion, onError) => (name === path ? ts.createSourceFile(name, text, languageVersion, true) : getSourceFile(name, languageVersion, onError));
  const program = ts.createProgram([path], options, host);
  const faults = program.getSemanticDiagnostics(program.getSourceFile(path)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  return { instantiations: program.getInstantiationCount(), faults };
}

/**
 * What `tsc --extendedDiagnostics` counts for the sample alone, and half as much again: types that take more are noticed here before
 * they are in editors.
 */
const budget = 7500;

it('a program of every kind of operand takes a bounded number of type instantiations', { timeout: 120_000 }, () => {
  const { instantiations, faults } = checked(sample);
  expect(faults).toEqual([]);
  expect(instantiations).toBeGreaterThan(budget / 3);
  expect(instantiations).toBeLessThan(budget);
  // It is looked at: a dtype that is not the one which meets is a fault.
  expect(checked(sample.replace("HostTensor<'int32'> = sum", "HostTensor<'bool'> = sum")).faults).toEqual([expect.stringContaining("Type 'HostTensor<\"int32\">' is not assignable to type 'HostTensor<\"bool\">'")]);
});
