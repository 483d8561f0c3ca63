/** Programs to begin with: `examples.test.ts` runs each. */
export interface Example {
  readonly name: string;
  readonly code: string;
}

const gradient = `import { exp, log1p, matmul, mean, mul, neg, tensor, type Operand } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit } from '@tf/traced';
import { inspect } from 'playground';

// Logistic regression: one function, its gradient, both compiled.
const x = tensor([[1, 2], [2, 1], [-1, -2], [-2, -1]]);
const y = tensor([1, 1, -1, -1]);
const loss = (w: Operand) => mean(log1p(exp(neg(mul(y, matmul(x, w))))));

const engine = await createEngine();
const w = tensor([0.5, -0.25]);
console.log('loss', jit(loss, { engine })(w));
console.log('gradient', jit(grad(loss), { engine })(w));

// What is computed: see the tabs Program, Graph, Steps and Kernels.
await inspect(loss, w);
`;

const plot = `import { cos, linspace, sin, mul, sum } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit, type TracedTensor } from '@tf/traced';
import * as Plot from '@observablehq/plot';
import { show } from 'playground';

// A function and its first two derivatives, by nested gradients.
type T = TracedTensor<'float64'>;
const f = (x: T) => mul(sin(x), cos(mul(x, 0.5))) as T;
const d = (g: (x: T) => T) => (x: T) => grad((v: T) => sum(g(v)) as T)(x) as T;

const engine = await createEngine();
const x = linspace(-6, 6, 200);
const xs = await x.data();
const curves = { f, "f′": d(f), "f″": d(d(f)) };
const points = [];
for (const [name, g] of Object.entries(curves)) {
  const ys = await jit(g, { engine })(x).data();
  ys.forEach((y, i) => points.push({ x: xs[i], y, name }));
}

show({
  width: 560, height: 320, grid: true, color: { legend: false, domain: Object.keys(curves) },
  marks: [Plot.ruleY([0]), Plot.lineY(points, { x: 'x', y: 'y', stroke: 'name' }), Plot.text(points, Plot.selectLast({ x: 'x', y: 'y', z: 'name', text: 'name', textAnchor: 'start', dx: 4 }))],
});
`;

const eager = `import { matmul, mean, square, sub, tanh, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';

// Exclusive or, by a network of two layers: operations run at once, backward adds gradients into variables.
const x = tensor([[0, 0], [0, 1], [1, 0], [1, 1]]);
const y = tensor([[-1], [1], [1], [-1]]);

const runtime = new EagerRuntime();
runtime.session(await createEngine(), () => {
  const hidden = runtime.variable([[0.8, -0.4, 0.3], [-0.5, 0.9, 0.7]]);
  const shift = runtime.variable([0.1, -0.2, 0.3]);
  const output = runtime.variable([[0.6], [0.5], [-0.7]]);
  for (let step = 0; step <= 400; step++) runtime.scope(() => {
    const loss = mean(square(sub(matmul(tanh(matmul(x, hidden).add(shift)), output), y)));
    loss.backward();
    for (const v of [hidden, shift, output]) {
      v.assign(v.sub(v.grad!.mul(0.3)));
      v.clearGrad();
    }
    if (step % 100 === 0) console.log(\`step \${step}: loss \${loss.item().toFixed(5)}\`);
  });
});
`;

const singular = `import { sum, tensor } from '@tf/core';
import { svd } from '@tf/linalg';
import { grad, jit, type TracedTensor } from '@tf/traced';
import { context, createEngine, inspect } from 'playground';

// The playground's engine has the kernels of every family, its context the rules: see the families' page.
const engine = await createEngine();
type T = TracedTensor<'float64'>;

const a = tensor([[3, 1, 0], [1, 2, 1], [0, 1, 1]]);
const { s } = jit((x: T) => svd(x), { engine })(a);
console.log('singular values', s);

// The nuclear norm's gradient is U·Vᵀ.
const nuclear = (x: T) => sum(svd(x).s) as T;
console.log(jit(grad(nuclear, { context }), { engine })(a));
await inspect(nuclear, a);
`;

const mistake = `import { matmul, ones } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate } from '@tf/traced';

// Shapes that do not fit: the error says what to do.
const engine = await createEngine();
console.log(evaluate(matmul(ones([3, 4]), ones([3, 4])), engine));
`;

const endless = `// A loop without an end: Stop ends it.
console.log('it begins');
for (;;) {}
`;

export const examples: readonly Example[] = Object.freeze([
  { name: 'Gradient and program', code: gradient },
  { name: 'Derivatives, plotted', code: plot },
  { name: 'Eager training', code: eager },
  { name: 'Singular values', code: singular },
  { name: 'An error with its remedy', code: mistake },
  { name: 'A loop without an end', code: endless },
]);
