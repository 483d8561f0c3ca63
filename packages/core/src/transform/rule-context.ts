import type { Atom, Basis, Catalog, DerivativeRule, Instruction, Operation, Params, RegionDerivatives, RuleContext, RuleSite, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { Builder } from '../program/builder.ts';
import { isLiteral, scalarLiteral } from '../program/literal.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** One instruction as its rule sees it, and which of its values take part. */
export type RuleRequest = Omit<RuleSite, 'regions'>;

/** The request for the rule of one instruction. */
export function requestFor(instruction: Omit<Instruction, 'number'>, active: readonly boolean[], live: readonly boolean[]): RuleRequest {
  const { operation, params, inputs, outputs } = instruction;
  return { operation, params, inputTypes: inputs.map((input) => input.type), outputTypes: outputs.map((output) => output.type), active, live };
}

/** The inputs in which an operation is linear, of `count`. */
export function linearInputsOf({ linear }: DerivativeRule, params: Params, count: number): readonly number[] {
  const inputs = linear?.inputs ?? [];
  if (inputs === 'all') return Array.from({ length: count }, (_, at) => at);
  return typeof inputs === 'function' ? inputs(params) : inputs;
}

/** Whether a rule says that its operation is linear in this input. */
export function isLinearInput(rule: DerivativeRule, params: Params, index: number): boolean {
  return linearInputsOf(rule, params, index + 1).includes(index);
}

/** What transforms of single instructions need: rules, and derivatives of programs among parameters. */
export interface Rules {
  readonly catalog: Catalog;
  readonly regions: RegionDerivatives;
}

/** Where a rule's primal values come from. */
export interface PrimalSource {
  input(index: number): Atom;
  output(index: number): Atom;
  /** See {@link RuleContext.running}. */
  running?(index: number): Var | undefined;
}

export function createRuleContext(builder: Builder, { catalog: { basis }, regions }: Rules, request: RuleRequest, source: PrimalSource): RuleContext {
  const asVar = (atom: Atom): Var => (isLiteral(atom) ? (builder.emit(basis.identity, [atom], {})[0] as Var) : atom);
  return {
    ...request,
    input: (index) => asVar(source.input(index)),
    output: (index) => asVar(source.output(index)),
    apply: (operation, inputs, params) => builder.emit(operation, inputs, params),
    zeros: (type) => zeros(builder, basis, type),
    running: (index) => source.running?.(index),
    regions,
  };
}

export function zeros(builder: Builder, basis: Basis, type: TensorType): Var {
  return builder.emit(basis.broadcastTo, [scalarLiteral(type.dtype, 0)], { shape: type.shape })[0] as Var;
}

/** Lets a `vjp` read only what its rule declares. */
export function onlyDeclared(source: PrimalSource, operation: Operation, declared: NonNullable<DerivativeRule['residuals']>): PrimalSource {
  const guard = (side: 'input' | 'output', allowed: readonly number[] = []) => (index: number): Atom => {
    if (allowed.includes(index)) return source[side](index);
    throw new TfError('ExtensionError', `${operation.id}: its vjp reads ${side} ${index}, which its residuals do not declare (${side}s: [${allowed.join(', ')}]). Declare it, or read the type only.`, { op: operation.id, family: operation.family, role: 'residuals' });
  };
  return { input: guard('input', declared.inputs), output: guard('output', declared.outputs) };
}

export function unsupported(operation: Operation, role: string, reason: string): TfError {
  return new TfError('UnsupportedRuleError', `${operation.id}: no ${role}: ${reason}.`, { family: operation.family, op: operation.id, role, reason });
}
