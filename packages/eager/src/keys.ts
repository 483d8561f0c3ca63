/**
 * What a tensor keeps for this package alone lies under symbols, so that completion and printing show users only what is
 * theirs.
 */

/** The value: a {@link ValueRecord}, or undefined once disposed. */
export const recordKey: unique symbol = Symbol('record');
/** Where the value comes from in the trace: a {@link TraceValue}, or undefined when it is not tracked. */
export const originKey: unique symbol = Symbol('origin');
/** What few tensors have besides: an {@link Aside}. */
export const asideKey: unique symbol = Symbol('aside');
/** Disposes the tensor on behalf of a scope, which gives what the tensor has from then on. */
export const freeKey: unique symbol = Symbol('free');
/** The parts of a runtime that its tensors and listener work with. */
export const coreKey: unique symbol = Symbol('core');
/** Node's and Deno's key for what `console.log` shows. */
export const inspectKey: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;
/** How other front ends recognise an eager tensor, whichever copy of this package made it. */
export const eagerKey: unique symbol = Symbol.for('tf.eager') as never;
