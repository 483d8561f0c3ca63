/** What the tests of families share: their engines, and the law that both modes give the same bits. */
import { existsSync } from 'node:fs';
import { type AdContext, type Engine, mul, type Operand, sum } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { codeUrl, type WasmModule } from '@tf/engine-cpu-wasm';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import type { Presence } from '@tf/testkit';
import { evaluate, grad, jvp, type TracedTensor } from '@tf/traced';
import { expect } from 'vitest';

export type F64 = TracedTensor<'float64'>;
export type OfOne = (x: F64) => F64;
export type Numbers = readonly number[];

const built = (name: string, modules: readonly WasmModule[]): Presence => ({ name: `${name}-wasm`, isPresent: modules.every((module) => existsSync(codeUrl(module)!)), remedy: `node scripts/kernels.mjs extensions/${name} builds it, or says what it needs` });
export const fftPresence: Presence = built('fft', [fftWasm()]);
export const linalgPresence: Presence = built('linalg', linalgWasm());

export const flat = (value: { toArray(): unknown }): Numbers => [value.toArray()].flat(3) as Numbers;

export interface BitsCase {
  readonly f: (x: Operand) => Operand;
  readonly data: Operand;
  readonly direction: Operand;
  readonly context: AdContext;
  readonly engine: Engine;
  /** The engine that values and gradients are compared with, to so many digits. */
  readonly reference: Engine;
  readonly digits: number;
  /** Relative; 0, the same bits, when it is not given. */
  readonly tolerance?: number;
  /** Evaluates what is traced together, so that programs are shared; one after the other, as eager does, otherwise. */
  readonly together?: boolean;
}

/** A value, its gradient, the gradient of the gradient's square and a tangent have the same bits traced and eager, and are right. */
export function expectSameBits({ f, data, direction, context, engine, reference, digits, tolerance = 0, together = false }: BitsCase): void {
  const runtime = new EagerRuntime({ context });
  const x = runtime.variable(data as F64);
  const eager = runtime.session(engine, () => {
    const y = f(x) as typeof x;
    const g = runtime.grad(y, x);
    return [y, g, runtime.grad(sum(mul(g, g)), x), runtime.jvp(y, x, direction as never)].map(flat);
  });
  const g = f as unknown as OfOne;
  const df = grad(g, { context });
  const at = data as F64;
  const [, tangent] = jvp(g, [at], [direction as F64], { context });
  const both: readonly F64[] = [g(at), df(at), grad(((z: F64) => sum(mul(df(z), df(z)))) as OfOne, { context })(at), tangent as F64];
  const traced = together ? evaluate(both, engine).map(flat) : both.map((value) => flat(evaluate(value, engine)));
  if (tolerance === 0) expect(traced).toEqual(eager);
  else traced.forEach((values, which) => values.forEach((value, element) => expect(Math.abs(value / (eager[which]?.[element] as number) - 1)).toBeLessThan(tolerance)));
  [g(at), df(at)].map((value) => flat(evaluate(value, reference))).forEach((values, which) => values.forEach((value, element) => expect(eager[which]?.[element]).toBeCloseTo(value, digits)));
}
