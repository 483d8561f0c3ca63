/** The native engine in one bundle, as an application ships it. */
export * as core from '@tf/core';
export * as native from '@tf/engine-cpu-blas-native';
