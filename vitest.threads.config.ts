import { defineConfig } from 'vitest/config';
import { engineInMode, onThreads } from './vitest.shared.ts';

// pnpm test:threads: with every step on three threads. Tests of the threads themselves say how many they want.
export default defineConfig(engineInMode(onThreads, ['src/threads/**']));
