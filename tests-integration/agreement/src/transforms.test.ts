import { createEngineSync } from '@tf/engine-cpu-wasm';
import { applyLaw, freshNodesLaw, type ScalarFunction, type TransformSubject } from '@tf/testkit';
import { grad, jit } from '@tf/traced';
import { it } from 'vitest';

function traced(): TransformSubject {
  const engine = createEngineSync();
  return {
    name: 'traced grad',
    grad: (f) => grad(f as never) as unknown as ScalarFunction,
    evaluate: (f, at) => (jit(f as never, { engine }) as unknown as (x: number) => { item(): number })(at).item(),
  };
}

it('traced grad differentiates by its own variable only', async () => {
  await applyLaw(freshNodesLaw, traced());
});
