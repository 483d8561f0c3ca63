export * from './evaluate.ts';
export * from './functions/catalog.ts';
export * from './kernel.ts';
export * from './order.ts';
export * from './reduction.ts';
export * from './scalar.ts';
