import { spawnSync } from 'node:child_process';

/** The Python that has JAX: the one named, the environment's `TF_XLA_PYTHON`, or `python3`. */
export function pythonOf(named?: string): string {
  return named ?? process.env['TF_XLA_PYTHON'] ?? 'python3';
}

/** Whether that Python is there and has JAX. */
export function hasJax(python: string = pythonOf()): boolean {
  return spawnSync(python, ['-c', 'import importlib.util, sys; sys.exit(importlib.util.find_spec("jax") is None)'], { timeout: 120_000 }).status === 0;
}
