/** All packages in one bundle, as an application ships them. */
export * as core from '@tf/core';
export * as eager from '@tf/eager';
export * as cpu from '@tf/engine-cpu-wasm';
export * as traced from '@tf/traced';
