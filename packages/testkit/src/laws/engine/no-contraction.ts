import { contractVersion, loop, type LoopStep, type Plan, type ScalarExpr, tensorType } from '@tf/core';
import { LawError } from '../law.ts';
import { type EngineLaw, onEngine } from './subject.ts';

type Float = 'float32' | 'float64';

/** One loop kernel over three vectors, written by hand: the product and the sum are in one body, where fusing tempts. */
function planOf(dtype: Float, body: (a: ScalarExpr, b: ScalarExpr, c: ScalarExpr) => ScalarExpr, count: number): Plan {
  const type = tensorType(dtype, [count]);
  const access = { dtype, inner: 'contiguous' } as const;
  const view = (buffer: number): LoopStep['reads'][number] => ({ buffer, offset: 0, strides: [1] });
  const [a, b, c] = [0, 1, 2].map((input) => loop.argument(loop.scalarTypeOf(dtype), input)) as [ScalarExpr, ScalarExpr, ScalarExpr];
  return {
    contract: contractVersion,
    inputs: [type, type, type],
    outputs: [type],
    buffers: [...[0, 1, 2].map((index) => ({ dtype, elements: count, place: { kind: 'input', index } as const })), { dtype, elements: count, place: { kind: 'output', index: 0 } }],
    slots: [],
    steps: [{ kind: 'loop', kernel: { rank: 1, reads: [access, access, access], writes: [access], body: [body(a, b, c)] }, extents: [count], reads: [0, 1, 2].map(view), writes: [view(3)] }],
    constraints: [],
    intermediateBytes: 0,
  };
}

/** (1 + ε)(1 − ε) rounds to 1; exactly it is 1 − ε². A fused multiply-add sees the difference. */
function values(dtype: Float, sign: 1 | -1): readonly (Float32Array | Float64Array)[] {
  const epsilon = dtype === 'float32' ? 2 ** -13 : 2 ** -27;
  const make = (value: number): Float32Array | Float64Array => (dtype === 'float32' ? new Float32Array(9).fill(value) : new Float64Array(9).fill(value));
  return [make(1 + epsilon), make(1 - epsilon), make(-sign)];
}

export const noContractionLaw: EngineLaw = {
  name: 'no-contraction',
  equation: 'a·b + c = round(round(a·b) + c)',
  check: (subject) => onEngine(subject, (engine) => {
    for (const dtype of ['float32', 'float64'] as const) {
      if (!engine.info.dtypes.includes(dtype)) continue;
      const bodies: readonly (readonly [string, 1 | -1, (a: ScalarExpr, b: ScalarExpr, c: ScalarExpr) => ScalarExpr])[] = [
        ['a·b + c', 1, (a, b, c) => loop.add(loop.mul(a, b), c)],
        ['c + a·b', 1, (a, b, c) => loop.add(c, loop.mul(a, b))],
        ['a·b − c', -1, (a, b, c) => loop.sub(loop.mul(a, b), c)],
        ['c − a·b', -1, (a, b, c) => loop.sub(c, loop.mul(a, b))],
      ];
      for (const [text, sign, body] of bodies) {
        const [output] = engine.compile(planOf(dtype, body, 9)).run(values(dtype, sign).map((data) => ({ data, shape: [9] })));
        const found = output === undefined ? [] : Array.from(engine.read(output) as ArrayLike<number>);
        const wrong = found.find((value) => value !== 0);
        if (wrong !== undefined || found.length !== 9) throw new LawError('no-contraction', `${engine.info.name}: ${dtype} ${text}`, `with a = 1 + ε, b = 1 − ε, c = ∓1 it is ${String(wrong)}; the product rounds to 1 and the sum to 0.`);
      }
    }
    return undefined;
  }),
};
