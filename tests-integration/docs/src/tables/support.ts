/** What every operation of the catalog can do: found out by trying, never by a list. */
import { AdContext, allocate, type Catalog, compileProgram, createCatalog, type DType, dtypes, elementCount, type Engine, type EngineInput, type Instruction, isInexact, type Operation, type Program, TfError, type UseSupport } from '@tf/core';
import { jvpProgram, vjpProgram } from '@tf/testkit';
import { familyExtensions, familyUses } from './families.ts';
import { collectSamples, oneOperation, type Sample, withDType } from './samples.ts';

export const allDTypes: readonly DType[] = Object.keys(dtypes) as DType[];

export type Derivative = 'rule' | 'linear' | 'derived' | 'none';
export type Batch = 'rule' | 'traits' | 'loop' | 'none';

const forwardEntries: Readonly<Record<UseSupport['forward'], Derivative>> = { linearize: 'rule', linear: 'linear', 'transpose of vjp': 'derived', none: 'none' };
const reverseEntries: Readonly<Record<UseSupport['reverse'], Derivative>> = { vjp: 'rule', transpose: 'linear', 'transpose of linearize': 'derived', none: 'none' };

export interface SupportRow {
  readonly operation: Operation;
  readonly jvp: Derivative;
  readonly vjp: Derivative;
  readonly batch: Batch;
  /** Why there is no derivative. */
  readonly reason: string | undefined;
  /** The dtypes that the operation takes, and the engines that run it there. */
  readonly engines: ReadonlyMap<DType, readonly string[]>;
}

export function supportRows(engines: readonly Engine[], catalog: Catalog = createCatalog(familyExtensions)): readonly SupportRow[] {
  const samples = collectSamples(familyUses());
  const context = new AdContext({ catalog });
  return catalog.extensions.flatMap(({ operations }) => operations.map((operation) => rowOf(operation, samples.get(operation.id) ?? [], engines, context)));
}

function rowOf(operation: Operation, samples: readonly Sample[], engines: readonly Engine[], context: AdContext): SupportRow {
  if (samples.length === 0) throw new Error(`${operation.id}: no case of the test kit and no use in families.ts has it.`);
  const rule = context.catalog.rule(operation);
  const uses = new Map(allDTypes.flatMap((dtype) => {
    const use = useIn(samples, dtype);
    return use === undefined ? [] : [[dtype, use] as const];
  }));
  for (const [dtype, program] of uses) if (rule.kind === 'rule' && isInexact(dtype)) requireDerivatives(context, program);
  const any = [...uses.values()][0] as Program;
  const support = supportOf(context, any);
  return {
    operation,
    jvp: forwardEntries[support.forward],
    vjp: reverseEntries[support.reverse],
    batch: batchOf(context, support, any),
    reason: support.reason,
    engines: new Map([...uses].map(([dtype, program]) => [dtype, engines.filter((engine) => runs(engine, program)).map(({ info }) => info.name)])),
  };
}

/** The first of the samples that the operation takes in this dtype, as a program. */
function useIn(samples: readonly Sample[], dtype: DType): Program | undefined {
  for (const sample of samples) {
    try {
      return oneOperation(withDType(sample, dtype));
    } catch (error) {
      if (!(error instanceof TfError)) throw error;
    }
  }
  return undefined;
}

function supportOf(context: AdContext, { instructions, inputs }: Program): UseSupport {
  const { operation, params } = instructions[0] as Instruction;
  return context.support(operation, inputs.map(({ type }) => type), params);
}

/** The derivatives are programs: building them throws where a rule does not take the dtype. */
function requireDerivatives(context: AdContext, program: Program): void {
  const wrt = supportOf(context, program).inputs.flatMap(({ differentiable }, at) => (differentiable ? [at] : []));
  jvpProgram(context, program, wrt);
  if (!hasUnboundedLoop(program)) vjpProgram(context, program, wrt);
}

const hasUnboundedLoop = (program: Program): boolean => program.instructions.some(({ operation, params }) => operation.traits.control?.(params).kind === 'while');

/** What the operation says; whether it loops is looked at. */
function batchOf({ catalog }: AdContext, { batch }: UseSupport, program: Program): Batch {
  if (batch === 'rule' || batch === 'leading') return 'rule';
  if (batch === 'none') return 'none';
  if (program.inputs.length === 0) return 'traits';
  const batched = new AdContext({ catalog }).batch({ program, batched: program.inputs.map(() => true), size: 3 });
  const loops = batched.program.instructions.some((instruction) => instruction.operation === catalog.basis.scan);
  if (loops !== (batch === 'loop')) throw new Error(`${(program.instructions[0] as Instruction).operation.id}: support() says that it batches by ${batch}, and it ${loops ? 'loops' : 'does not loop'}.`);
  return loops ? 'loop' : 'traits';
}

/** Whether an engine compiles the program and runs it, on ones and on the indices 0; a loop counts up from 1, so that it ends. */
function runs(engine: Engine, program: Program): boolean {
  try {
    const executable = engine.compile(compileProgram(program, engine.kernels === undefined ? {} : { kernels: engine.kernels }));
    const loops = hasUnboundedLoop(program);
    const inputs = program.inputs.map(({ type }): EngineInput => {
      const data = allocate(type.dtype, elementCount(type.shape) as number);
      return { data: isInexact(type.dtype) || loops ? data.fill((type.dtype === 'int64' ? 1n : 1) as never) : data, shape: type.shape as readonly number[] };
    });
    for (const output of executable.run(inputs)) output.dispose();
    return true;
  } catch (error) {
    // It ran, and a matrix of ones has no result.
    if (error instanceof TfError && error.name === 'LinalgError') return true;
    if (error instanceof TfError && (error.name === 'UnsupportedOnEngineError' || error.name === 'UnregisteredFamilyError' || error.name === 'DTypeError')) return false;
    throw error;
  }
}
