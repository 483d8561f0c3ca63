import type { Options } from 'tsup';

export declare function markPureCalls(path: string, text: string): string;
export declare const pureCalls: NonNullable<Options['esbuildPlugins']>[number];
export declare const pureNamespaces: NonNullable<Options['plugins']>[number];
