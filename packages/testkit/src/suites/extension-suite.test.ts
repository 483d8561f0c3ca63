import { coreExtension } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { createCoreCases } from './core-cases.ts';
import { extensionSuite } from './extension-suite.ts';

extensionSuite({ describe, it }, { extension: coreExtension, cases: createCoreCases() });

describe('extensionSuite', () => {
  it('says which operations have no case', () => {
    const failed: string[] = [];
    const runner = {
      describe: (_name: string, body: () => void) => body(),
      it: (name: string, body: () => void | Promise<void>) => {
        if (!name.includes('every operation')) return;
        try {
          void body();
        } catch (error) {
          failed.push((error as Error).message);
        }
      },
    };
    extensionSuite(runner, { extension: coreExtension, cases: createCoreCases().slice(0, 4) });
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('tf.core.dot');
  });
});
