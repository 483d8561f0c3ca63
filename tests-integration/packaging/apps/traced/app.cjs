const { mul, sum, tensor } = require('@tf/core');
const { createEngineSync } = require('@tf/engine-cpu-wasm');
const { grad, jit } = require('@tf/traced');

console.log(JSON.stringify(jit(grad((x) => sum(mul(x, x))), { engine: createEngineSync() })(tensor([1, 2, 3])).toArray()));
