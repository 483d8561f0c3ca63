import { checkConstraints, checkOptions, decidableConstraints, type DType, dtypes, isProgram, type Program, type TypedArray, type Var, wrongArgument } from '@tf/core';
import { exportOptions } from './arguments.ts';
import { constantData } from './constants.ts';
import { Emitter } from './emitter.ts';
import type { StableHloFamily } from './family.ts';
import { ModuleWriter } from './module.ts';
import { emitProgram, prepared } from './program.ts';
import { createRoles } from './roles.ts';
import type { Value } from './text.ts';

export interface ExportOptions {
  /** The module's name in the text, letters, digits and _ (default: tf). Its function is called `main`. */
  readonly name?: string;
  /** Sizes of symbolic extents: XLA compiles for fixed shapes. */
  readonly extents?: { readonly [symbol: string]: number };
  /** Names of the outputs, in order. */
  readonly outputNames?: readonly string[];
  /** Constants of more elements than this become arguments of `main`, after the inputs (default: 1024). */
  readonly largestConstant?: number;
  /** What operations of families become, from the families' packages: `[linalgStableHlo]` of `@tf/linalg/stablehlo`. Others become what they lower to. */
  readonly families?: readonly StableHloFamily[];
}

/** An argument or a result of `main`. */
export interface ExportedValue {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

export interface ExportedConstant extends ExportedValue {
  readonly data: TypedArray;
}

export interface StableHloModule {
  /** The module. Its function `main` takes the inputs, then the constants. */
  readonly text: string;
  readonly inputs: readonly ExportedValue[];
  /** What was too large for the text. */
  readonly constants: readonly ExportedConstant[];
  readonly outputs: readonly ExportedValue[];
}

/**
 * A program as StableHLO text, which XLA compiles for CPUs, GPUs and TPUs. Elementwise functions keep their algorithms; sums and
 * contractions may differ in their last digits, as XLA chooses the order.
 *
 * @param program - any program, a derivative too. Operations of families are exported as `options.families` says, else by what they lower to.
 * @throws UnsupportedOnEngineError naming the operation that has no StableHLO (`dynamicTruncate`: XLA needs fixed shapes), or the symbolic
 * extent that `options.extents` lacks; ArgumentError for a bound constant that holds no data.
 * @example
 * import { Builder, exp, sum, tensorType } from '@tf/core';
 * import { exportStableHlo } from '@tf/export-stablehlo';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [3]), 'x');
 * const { text, inputs } = exportStableHlo(builder.build([sum(exp(x))]));
 * if (!text.includes('stablehlo.reduce') || inputs[0]?.name !== 'x') throw new Error('unexpected');
 */
export function exportStableHlo(program: Program, options: ExportOptions = {}): StableHloModule {
  if (!isProgram(program)) throw wrongArgument('exportStableHlo', 'program', program, 'a program', 'Give it what trace(f, x).program or a Builder made.');
  checkOptions('exportStableHlo', options, exportOptions, "exportStableHlo(program, { extents: { n: 128 } })");
  const { name = 'tf', extents = {}, outputNames = [], largestConstant = 1024, families = [] } = options;
  const roles = createRoles(families);
  const binding = new Map(Object.entries(extents));
  checkConstraints(decidableConstraints(program.constraints, binding), binding, 'exportStableHlo: ');
  const sizes = new Emitter(binding);
  const described = (variable: Pick<Var, 'type'>, own: string): ExportedValue => ({ name: own, dtype: variable.type.dtype, shape: sizes.extents(variable.type.shape) });
  const inputs = program.inputs.map((input, at) => described(input, input.name ?? `input${at}`));
  const outputs = program.outputs.map((output, at) => described(output, outputNames[at] ?? `output${at}`));
  const whole = prepared(program, roles);
  const bound = whole.bound.map((each, at) => ({ variable: each.variable, ...described(each.variable, `constant${at}`), data: constantData(each, sizes.extents(each.variable.type.shape)) }));
  const isLarge = ({ data, dtype }: ExportedConstant): boolean => data.length > largestConstant * dtypes[dtype].lanes;
  const large = bound.filter(isLarge);
  const arguments_ = [...whole.inputs, ...large.map(({ variable }) => variable)];
  const module = new ModuleWriter();
  const main = {
    takes: arguments_.map(({ type }) => sizes.typeOf(type)),
    binding,
    body: (emitter: Emitter, taken: readonly Value[]): readonly Value[] => {
      const env = new Map<Var, Value>(arguments_.map((variable, at) => [variable, taken[at] as Value]));
      for (const each of bound) if (!isLarge(each)) env.set(each.variable, emitter.data(each.dtype, each.shape, each.data));
      return emitProgram(emitter, module, roles, whole, env);
    },
  };
  const marks = { inputs: [...inputs, ...large].map((each) => mark('jax.arg_info', each)), outputs: outputs.map((each) => mark('jax.result_info', each)) };
  return { text: module.build(name, main, marks), inputs, constants: large.map(({ name: own, dtype, shape, data }) => ({ name: own, dtype, shape, data })), outputs };
}

/** JAX shows it in errors and reports. */
function mark(attribute: string, { name }: ExportedValue): string {
  return ` {${attribute} = ${JSON.stringify(name)}}`;
}
