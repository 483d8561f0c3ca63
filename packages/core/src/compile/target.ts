import type { Instruction, KernelCall, Program } from '../contract.ts';
import { authored, wrongPart } from '../program/authored.ts';
import { describe } from '../types/argument.ts';
import { indexProgram, type ProgramIndex, ProgramIndices } from './program-index.ts';

/** What one compile is for, and what it has found out on the way. */
export interface Target {
  /** Symbols of the kernels that the engine's execution modules have. */
  readonly kernels: ReadonlySet<string>;
  /** No algorithm may be replaced by another: nothing that changes a bit. */
  readonly exact: boolean;
  /** Lowered operations by operation, parameters and input types; filled as they are met. */
  readonly lowered: Map<string, Program>;
  /** What the target carries out as it is, beside kernels: it is not lowered. */
  readonly carries?: (instruction: Instruction) => boolean;
}

/** What core's own passes hand on to each other. */
export interface CompileTarget extends Target {
  readonly indices?: ProgramIndices;
}

/** What programs are planned for. */
export type PlanTarget = Required<Pick<CompileTarget, 'indices'>> & CompileTarget;

/** The index of a program, from what was found out on the way or made anew. */
export function indexOf(program: Program, { indices }: CompileTarget): ProgramIndex {
  return indices === undefined ? indexProgram(program) : indices.of(program);
}

/** The call of a kernel that the target has. */
export function kernelCall(instruction: Instruction, { kernels }: Target): KernelCall | undefined {
  const call = wantedCall(instruction);
  return call !== undefined && kernels.has(call.symbol) ? call : undefined;
}

/** The call of the kernel that computes it, whether or not there is one; undefined where its family names none. */
export function wantedCall({ operation, params, inputs, outputs }: Instruction): KernelCall | undefined {
  if (operation.traits.call === undefined) return undefined;
  const call = authored(operation, 'call', () => operation.traits.call?.(params, inputs.map(({ type }) => type), outputs.map(({ type }) => type)));
  if (typeof call?.symbol !== 'string' || !Array.isArray(call.integers)) throw wrongPart(operation, 'call', `gave ${describe(call)}`, 'It gives { symbol, integers }, or that with a workspace in bytes');
  return call;
}

export function createTarget(kernels: ReadonlySet<string> = new Set(), exact = false): PlanTarget {
  return { kernels, exact, lowered: new Map(), indices: new ProgramIndices() };
}
