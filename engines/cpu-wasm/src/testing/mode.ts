import { defaultOptions } from '../defaults.ts';

/** Whether these tests run in debug mode, where a block lies elsewhere and the memory is larger than `MemoryOptions` lead to expect. */
export const guarded: boolean = defaultOptions.debug === 'memory';
