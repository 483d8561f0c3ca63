import type { Atom, BatchContext, BatchFunction, Catalog, Instruction, Operation, Program, Traits, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { authored, foreignResult, wrongPart } from '../program/authored.ts';
import { Builder } from '../program/builder.ts';
import { isLiteral } from '../program/literal.ts';
import { lookUp } from '../program/walk.ts';
import { describe } from '../types/argument.ts';
import { type Dim, dimText } from '../types/dim.ts';
import { isOperand } from '../types/operand.ts';
import { sameShape, type Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';

/** What to run over a further axis: which values of {@link Program.inputs} and bound inputs, in this order, have it. */
export interface BatchRequest {
  readonly program: Program;
  readonly batched: readonly boolean[];
  /** The extent of the batch axis. */
  readonly size: Dim;
}

/** A program over a batch: the batch axis is the first of every input and output that has one. */
export interface Batched {
  readonly program: Program;
  /** Which outputs have the batch axis; the others do not depend on anything batched. */
  readonly batched: readonly boolean[];
}

/** A value and whether the batch axis is its first. */
interface Value {
  readonly atom: Atom;
  readonly isBatched: boolean;
}

/** The program that does for a whole batch at once what `program` does for one element of it. */
export function batchProgram(catalog: Catalog, { program, batched, size }: BatchRequest): Batched {
  const builder = new Builder();
  const env = new Map<Var, Value>();
  const typeOf = (variable: Var, isBatched: boolean): Var['type'] => (isBatched ? tensorType(variable.type.dtype, [size, ...variable.type.shape]) : variable.type);
  program.inputs.forEach((input, at) => env.set(input, { atom: builder.input(typeOf(input, batched[at] === true), input.name), isBatched: batched[at] === true }));
  for (const { variable, value } of program.bound) env.set(variable, { atom: builder.bind(variable.type, value), isBatched: false });
  for (const constraint of program.constraints) builder.require(constraint);
  const valueOf = (atom: Atom): Value => (isLiteral(atom) ? { atom, isBatched: false } : lookUp(env, atom));
  for (const instruction of program.instructions) {
    const inputs = instruction.inputs.map(valueOf);
    const isBatched = inputs.some((input) => input.isBatched);
    const outputs = isBatched ? batchInstruction(catalog, builder, instruction, inputs, size) : builder.replay(instruction, inputs.map(({ atom }) => atom)).map((atom) => ({ atom, isBatched }));
    instruction.outputs.forEach((output, index) => env.set(output, outputs[index] as Value));
  }
  const results = program.outputs.map(valueOf);
  return { program: builder.build(results.map(({ atom }) => atom)), batched: results.map(({ isBatched }) => isBatched) };
}

/** The outputs of one instruction, with the batch axis first where they depend on the batch. */
function batchInstruction(catalog: Catalog, builder: Builder, instruction: Instruction, inputs: readonly Value[], size: Dim): readonly Value[] {
  const { operation } = instruction;
  const alike = new Set<Atom>();
  const ctx = createBatchContext(catalog, builder, instruction, inputs, size, alike);
  const run = batchFunctionOf(catalog, instruction);
  const outputs = batchResults(builder, instruction, authored(operation, 'batch', () => run(ctx)));
  return instruction.outputs.map(({ type }, index) => {
    const output = outputs[index];
    const isBatched = output === undefined || !alike.has(output);
    const wanted: Shape = isBatched ? [size, ...type.shape] : type.shape;
    const fits = output !== undefined && output.type.dtype === type.dtype && output.type.shape.length === wanted.length && (sameShape(output.type.shape, wanted) || wanted.some((dim) => typeof dim !== 'number'));
    if (!fits) throw new TfError('ExtensionError', `${operation.id}: its batch rule gave ${output?.type.key ?? 'nothing'} for output ${index}, ${type.key} over a batch of ${dimText(size)}. The batch axis is the first of every output but of those that are alike for all elements.`, { op: operation.id, family: operation.family, role: 'batch' });
    return { atom: output, isBatched };
  });
}

/** One value of the program per output, and nothing else. */
function batchResults(builder: Builder, { operation, outputs }: Instruction, given: unknown): readonly Var[] {
  const takes = `It gives a list of ${outputs.length} ${outputs.length === 1 ? 'value' : 'values'}, one per output, the batch axis first`;
  if (!Array.isArray(given)) throw wrongPart(operation, 'batch', `gave ${describe(given)}`, takes);
  if (given.length !== outputs.length) throw wrongPart(operation, 'batch', `gave a list of ${given.length}`, takes);
  outputs.forEach((_, at) => {
    const value: unknown = given[at];
    if (!isOperand(value) && !isLiteral(value)) throw wrongPart(operation, 'batch', `gave ${describe(value)} for output ${at}`, takes);
    if (!builder.owns(value as Atom)) throw foreignResult(operation, 'batch', value, `output ${at}`);
  });
  return given as readonly Var[];
}

function createBatchContext(catalog: Catalog, builder: Builder, { operation, params, inputs, outputs }: Instruction, values: readonly Value[], size: Dim, alike: Set<Atom>): BatchContext {
  const { basis } = catalog;
  const asVar = (atom: Atom): Var => (isLiteral(atom) ? (builder.emit(basis.identity, [atom], {})[0] as Var) : atom);
  const whole = (index: number): Var => {
    const { atom, isBatched } = values[index] as Value;
    return isBatched ? asVar(atom) : (builder.emit(basis.broadcastTo, [atom], { shape: [size, ...atom.type.shape] })[0] as Var);
  };
  return {
    operation,
    params,
    inputTypes: inputs.map((input) => input.type),
    outputTypes: outputs.map((output) => output.type),
    size,
    batched: values.map(({ isBatched }) => isBatched),
    atom: (index) => (values[index] as Value).atom,
    input: (index) => asVar((values[index] as Value).atom),
    whole,
    alike: (output) => {
      alike.add(output);
      return output;
    },
    region: (program, which) => batchProgram(catalog, { program, batched: which, size }),
    apply: (other, operands, given) => builder.emit(other, operands, given),
  };
}

/** How an operation runs over a further axis, or why it does not. */
export function batchRuleOf(catalog: Catalog, operation: Operation): BatchFunction | { readonly reason: string } {
  const { batch } = catalog.rule(operation);
  if (typeof batch === 'function') return batch;
  if (batch === 'leading') return (ctx) => ctx.apply(ctx.operation, ctx.inputTypes.map((_, index) => ctx.whole(index)), ctx.params);
  if (typeof batch === 'object') return batch;
  return (batch === 'loop' ? undefined : byTraits(catalog, operation.traits)) ?? ((ctx) => loop(catalog, ctx));
}

/** One element of the batch after the other: a scan without carries. */
function loop({ basis }: Catalog, ctx: BatchContext): readonly Var[] {
  const places = ctx.inputTypes.map((_, at) => at);
  const order = [...places.filter((at) => ctx.batched[at] !== true), ...places.filter((at) => ctx.batched[at] === true)];
  const builder = new Builder();
  const inputs = new Map(order.map((at) => [at, builder.input(ctx.inputTypes[at] as Var['type'])]));
  const body = builder.build(builder.emit(ctx.operation, places.map((at) => inputs.get(at) as Var), ctx.params));
  const constants = ctx.batched.filter((is) => !is).length;
  return ctx.apply(basis.scan, order.map((at) => ctx.atom(at)), { body, constants, carries: 0, length: ctx.size, reverse: false, linear: [] });
}

function batchFunctionOf(catalog: Catalog, { operation }: Instruction): BatchFunction {
  const rule = batchRuleOf(catalog, operation);
  if (typeof rule === 'function') return rule;
  const { reason } = rule;
  throw new TfError('UnsupportedRuleError', `${operation.id}: no batch rule: ${reason}. Call it outside vmap, once per element.`, { family: operation.family, op: operation.id, role: 'batch', reason });
}

function byTraits({ basis }: Catalog, traits: Traits): BatchFunction | undefined {
  if (traits.identity === true || traits.barrier === true) return (ctx) => ctx.apply(ctx.operation, [ctx.atom(0)], ctx.params);
  if (traits.reduction !== undefined) return (ctx) => ctx.apply(ctx.operation, [ctx.atom(0)], { ...ctx.params, axes: (ctx.params['axes'] as readonly number[]).map((axis) => axis + 1) });
  if (traits.elementwise === undefined) return undefined;
  return (ctx) => ctx.apply(ctx.operation, ctx.inputTypes.map((_, index) => aligned(ctx, index, basis)), ctx.params);
}

/** An operand whose batch axis lies left of all axes with which the others broadcast. */
function aligned(ctx: BatchContext, index: number, { reshape }: Catalog['basis']): Atom {
  const x = ctx.atom(index);
  const { shape } = ctx.inputTypes[index] as Var['type'];
  const rank = Math.max(...ctx.inputTypes.map((type) => type.shape.length));
  if (ctx.batched[index] !== true || shape.length === rank) return x;
  const ones = new Array<number>(rank - shape.length).fill(1);
  return ctx.apply(reshape, [x], { shape: [ctx.size, ...ones, ...shape] })[0] as Var;
}
