/** What every engine does before it runs a plan: checks it, binds sizes, lays out memory. For authors of engines. */
export * from './axes.ts';
export * from './binding.ts';
export * from './check.ts';
export * from './donated.ts';
export * from './dtypes.ts';
export * from './extents.ts';
export * from './host-data.ts';
export * from './inputs.ts';
export * from './key.ts';
export * from './nested.ts';
export * from './slots.ts';
export * from './tables.ts';
export * from './text.ts';
export * from './tiles.ts';
