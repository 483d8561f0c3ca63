// Values of one copy of core with functions of another: each use works, with the right value, or is a tf error.
import * as old from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad } from '@tf/traced';
// Another version: what tries this names it so.
import * as next from '@tf/core';

const engine = await createEngine();
const works = (value, wanted) => (JSON.stringify(value) === JSON.stringify(wanted) ? 'works' : `gives ${JSON.stringify(value)}`);
const outcome = async (use) => {
  try {
    return await use();
  } catch (error) {
    return old.isTfError(error) && next.isTfError(error) ? `${error.name}: ${error.message}` : `untyped ${error.stack}`;
  }
};
const square = ({ mul, sum }) => (x) => sum(mul(x, x));
const context = (core) => new core.AdContext({ catalog: core.createCatalog() });

const uses = {
  'a function of the newer on a tensor of the older': () => works(evaluate(next.exp(old.tensor([0])), engine).toArray(), [1]),
  'a tensor of the newer in the front end of the older': () => works(evaluate(old.exp(next.tensor([0])), engine).toArray(), [1]),
  'both in one expression': () => works(evaluate(old.add(next.exp(old.tensor([0])), next.tensor([1])), engine).toArray(), [2]),
  'a gradient through functions of the newer': () => works(evaluate(grad(square(next))(old.tensor([3])), engine).toArray(), [6]),
  'a gradient with a context of the newer': () => works(evaluate(grad(square(old), { context: context(next) })(old.tensor([3])), engine).toArray(), [6]),
  'eager, with functions of the newer': () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([3]);
    runtime.session(engine, () => runtime.backward(square(next)(x)));
    return works(x.grad.toArray(), [6]);
  },
  'an error of the newer, seen by the older': () => {
    try {
      next.add(next.tensor([1, 2]), next.tensor([1, 2, 3]));
    } catch (error) {
      return old.isTfError(error, 'ShapeError') ? 'works' : `untyped ${error}`;
    }
    return 'no error';
  },
};

const said = {};
for (const [what, use] of Object.entries(uses)) said[what] = await outcome(use);
console.log(JSON.stringify(said));
