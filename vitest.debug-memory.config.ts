import { defineConfig } from 'vitest/config';
import { debugMemory, engineInMode } from './vitest.shared.ts';

// pnpm test:debug-memory: in debug mode.
export default defineConfig(engineInMode(debugMemory));
