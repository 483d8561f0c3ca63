// A first gradient with nothing but core, the traced front end and an engine. What it loads lies in its own folder; it reaches no network.
import { Socket } from 'node:net';
import { mul, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit } from '@tf/traced';

Socket.prototype.connect = () => {
  throw new Error('no network here');
};
const engine = await createEngine();
console.log(JSON.stringify(jit(grad((x) => sum(mul(x, x))), { engine })(tensor([1, 2, 3])).toArray()));
