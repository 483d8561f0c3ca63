import { flattenTree, type Operand, TfError, unflattenTree, wrongArgument } from '@tf/core';
import type { EagerRuntime, EagerVariable } from '@tf/eager';
import type { Optimizer, OptimizerState } from './optimizer.ts';

/** An optimiser that keeps its state, and the variables that it moves. */
export interface AttachedOptimizer {
  /** Moves each variable by its gradient, then forgets the gradients. Variables without one stay. */
  step(): void;
  /** Forgets the gradients of all variables. */
  clearGrads(): void;
  /** What is remembered, as variables that no gradient flows into. */
  readonly state: OptimizerState;
  /** Lets go of what is remembered; the variables stay. */
  dispose(): void;
}

/**
 * Ties an optimiser to variables of an eager runtime: `loss.backward()`, then `step()`.
 *
 * @param variables a variable, or a tree of them.
 * @throws ArgumentError where the tree holds anything but variables, ShapeError where a gradient does not fit.
 */
export function attach(runtime: EagerRuntime, optimizer: Optimizer, variables: unknown): AttachedOptimizer {
  const { leaves, paths, structure } = flattenTree(variables);
  const cells = leaves.map((leaf, at) => requireVariable(leaf, paths[at] as string));
  const start = flattenTree(optimizer.init(variables));
  const memory = start.leaves.map((leaf) => runtime.variable(leaf as Operand, { requiresGrad: false } as never));
  const state = unflattenTree(start.structure, memory) as OptimizerState;
  const clearGrads = (): void => cells.forEach((cell) => cell.clearGrad());
  return {
    state,
    clearGrads,
    step() {
      runtime.noGrad(() => runtime.scope(() => {
        const next = optimizer.update(variables, unflattenTree(structure, cells.map((cell) => cell.grad)), state);
        assignAll(cells, flattenTree(next.parameters).leaves);
        assignAll(memory, flattenTree(next.state).leaves);
      }));
      clearGrads();
    },
    dispose: () => memory.forEach((cell) => cell.dispose()),
  };
}

function assignAll(cells: readonly EagerVariable[], values: readonly unknown[]): void {
  cells.forEach((cell, at) => {
    if (values[at] !== cell) cell.assign(values[at] as Operand);
  });
}

function requireVariable(leaf: unknown, path: string): EagerVariable {
  const given = leaf as EagerVariable | undefined | null;
  if (typeof given !== 'object' || given === null) throw wrongArgument('attach', path === '' ? 'variables' : path, leaf, 'a variable: runtime.variable(…)');
  if (typeof given.assign !== 'function') throw new TfError('ArgumentError', `attach: ${path === '' ? 'the tensor' : path} is no variable and cannot be assigned to. Make it one: runtime.variable(value).`, { op: 'attach', argument: path });
  return given;
}
