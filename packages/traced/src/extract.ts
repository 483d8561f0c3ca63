import {
  type Atom, type BoundInput, type Dim, type DimConstraint, type DimExpr, dimText, type Instruction, introducedDim, introducedName, invariant, isKnown, isLiteral, type Listener, listenerKey, mapParamDims, NumberedMap, type Params, type Program, renameExtents, substituteConstraint,
  substituteDim, substituteType, symbolicDim, type TensorType, TfError, type Var, type VarKind, visitExtents, visitIntroduced,
} from '@tf/core';
import type { NodeOrigin, TracedAtom, TracedValue } from './origin.ts';

/** A program and the traced values that its variables stand for. */
export interface Extraction {
  readonly program: Program;
  /** Position of each traced value in core's `valuesOf(program)`. */
  readonly positionOf: (value: TracedValue) => number | undefined;
  /** The traced value at each position. */
  readonly positions: readonly TracedValue[];
  /** What the program's inputs and then its bound inputs stand for. */
  readonly leaves: readonly TracedValue[];
  /** What the program's names of introduced extents stand for among traced values. */
  readonly extents: ReadonlyMap<string, Dim>;
}

/** A variable of a finished program: nobody can compute with it. */
class FinishedVar implements Var {
  readonly id: number;
  readonly type: TensorType;
  readonly name: string | undefined;

  constructor(id: number, type: TensorType, name: string | undefined) {
    this.id = id;
    this.type = type;
    this.name = name;
  }

  get [listenerKey](): Listener<VarKind> {
    return finished;
  }
}

const finished: Listener<VarKind> = Object.freeze({
  level: 3,
  contract: 1,
  coreVersion: 'an extracted program',
  apply: refuseUse,
  lift: refuseUse,
  scalar: refuseUse,
});

function refuseUse(): never {
  throw new TfError('ForeignValueError', 'A variable of a finished program was used in an operation. Compute with the traced tensors instead.', {});
}

/**
 * The program that computes `outputs`: instructions in the order of their creation and with its numbers. Inputs are those
 * given, in that order, otherwise all named leaves in the order of their creation; values known now are bound.
 *
 * @throws ArgumentError when two inputs have one name, or when a leaf is needed that `inputs` do not list. Who is going to
 * run the program says with `refuse` what error that is, and then a value that a transform is just differentiating by is
 * refused too.
 */
export function extractProgram(outputs: readonly TracedValue[], inputs?: readonly TracedValue[], refuse?: (value: TracedValue) => TfError): Extraction {
  const given = new Set(inputs ?? []);
  const nodes = collect(outputs, (value) => given.has(value));
  const read = leavesOf(nodes, outputs, given);
  const found = inputs === undefined ? [...read, ...leavesOfSizes(nodes, read)].sort(byCreation) : read;
  const free = found.filter((leaf) => leaf.origin.kind === 'input');
  if (inputs !== undefined && free.length > 0) throw (refuse ?? unlisted)(free[0] as TracedValue);
  const open = refuse === undefined ? undefined : nodes.find(({ trace }) => trace?.open === true);
  if (refuse !== undefined && open !== undefined) throw refuse(open.outputs[0] as TracedValue);
  const assembly = new Assembly(nodes);
  const named = inputs ?? free;
  checkNames(named);
  for (const value of named) assembly.input(value);
  for (const leaf of found) if (leaf.origin.kind === 'bound') assembly.bind(leaf);
  for (const node of nodes) assembly.append(node);
  return assembly.finish(outputs);
}

/**
 * The part of `outputs` that depends on `wrt`: everything else that it reads is an input. Values older than `wrt` cannot
 * depend on it, so the walk ends there however long their history is. It ends at each of `wrt` too: they are taken as
 * independent, also when one is computed from another.
 */
export function extractDependent(outputs: readonly TracedValue[], wrt: readonly TracedValue[]): Extraction {
  const cut = new Set(wrt);
  let oldest = Infinity;
  for (const { origin } of wrt) oldest = Math.min(oldest, origin.number);
  const nodes = collect(outputs, (value) => cut.has(value) || value.origin.number <= oldest);
  const dependent = new Set<TracedAtom>(wrt);
  const kept = nodes.filter(({ inputs, outputs: results }) => {
    const depends = inputs.some((input) => dependent.has(input));
    if (depends) for (const result of results) dependent.add(result);
    return depends;
  });
  const inputs = new Set<TracedValue>(wrt);
  for (const node of kept) for (const input of node.inputs) if (!isLiteral(input) && !dependent.has(input)) inputs.add(input);
  for (const output of outputs) if (!dependent.has(output)) inputs.add(output);
  const assembly = new Assembly(kept);
  for (const value of [...inputs].sort(byCreation)) assembly.input(value);
  for (const node of kept) assembly.append(node);
  return assembly.finish(outputs);
}

/** The part of `outputs` that was made after `start`: everything older is captured. Inputs: captures, then `args`. */
export function extractRegion(outputs: readonly TracedAtom[], args: readonly TracedValue[], start: number): Extraction {
  const own = new Set(args);
  const values = outputs.filter((output): output is TracedValue => !isLiteral(output));
  const nodes = collect(values, (value) => own.has(value) || value.origin.number < start);
  const made = new Set<NodeOrigin>(nodes);
  if (nodes.some(({ operation }) => operation.traits.extent !== undefined)) throw sizeInside();
  const captures = new Set<TracedValue>();
  const read = (value: TracedAtom): void => {
    if (!isLiteral(value) && !own.has(value) && !(value.origin.kind === 'node' && made.has(value.origin))) captures.add(value);
  };
  for (const node of nodes) node.inputs.forEach(read);
  outputs.forEach(read);
  // Extents keep their names: the program around it gives them its own.
  const assembly = new Assembly(nodes, false);
  for (const value of [...captures].sort(byCreation)) assembly.input(value);
  for (const value of args) assembly.input(value);
  for (const node of nodes) assembly.append(node);
  return assembly.finish(outputs);
}

function sizeInside(): TfError {
  return new TfError('UnsupportedRuleError', 'dynamicTruncate: a size that a run decides has no place inside a loop, a branch or a checkpoint yet. Truncate outside of it, or use the masked form there: select(less(indices, k), x, 0).', { op: 'dynamicTruncate', role: 'region' });
}

function byCreation(a: TracedValue, b: TracedValue): number {
  return a.origin.number - b.origin.number || a.output - b.output;
}

/** The nodes that `outputs` are computed from, in the order of their creation, without going beyond `isCut`. */
function collect(outputs: readonly TracedValue[], isCut: (value: TracedValue) => boolean): readonly NodeOrigin[] {
  const newest = outputs.reduce((most, { origin }) => Math.max(most, origin.number), 0);
  const seen = new NumberedMap<NodeOrigin, true>(({ number }) => newest - number);
  const nodes: NodeOrigin[] = [];
  const work: TracedAtom[] = [...outputs];
  const take = (source: TracedValue): void => void work.push(source);
  for (let value = work.pop(); value !== undefined; value = work.pop()) {
    if (isLiteral(value) || isCut(value)) continue;
    const { origin } = value;
    if (origin.kind !== 'node' || seen.has(origin)) continue;
    seen.set(origin, true);
    nodes.push(origin);
    for (let at = 0; at < origin.inputs.length; at++) work.push(origin.inputs[at] as TracedAtom);
    visitSources(origin, take);
  }
  return nodes.sort((a, b) => a.number - b.number);
}

/** The values that decide extents which a node mentions. */
function visitSources(node: NodeOrigin, visit: (source: TracedValue) => void): void {
  visitExtents(node, (dim) => {
    if (!isKnown(dim)) for (const source of dim.sources?.values() ?? []) visit(source as TracedValue);
  });
}

/** The leaves that nodes and outputs read, in the order of their creation, without those in `given`. */
function leavesOf(nodes: readonly NodeOrigin[], outputs: readonly TracedValue[], given: ReadonlySet<TracedValue>): readonly TracedValue[] {
  const found = new Set<TracedValue>();
  const add = (value: TracedAtom): void => {
    if (!isLiteral(value) && value.origin.kind !== 'node' && !given.has(value)) found.add(value);
  };
  for (const node of nodes) node.inputs.forEach(add);
  outputs.forEach(add);
  return [...found].sort(byCreation);
}

/** Inputs that nothing reads, but whose shapes say how large the symbolic extents of nodes are. */
function leavesOfSizes(nodes: readonly NodeOrigin[], read: readonly TracedValue[]): readonly TracedValue[] {
  const sources = new Set(nodes.flatMap(({ sizes }) => sizes ?? []));
  if (sources.size === 0) return [];
  const known = new Set(read.flatMap(({ type }) => type.shape.map(dimText)));
  const leaves = leavesOf(collect([...sources], () => false), [...sources], new Set(read));
  return leaves.filter(({ origin, type }) => origin.kind === 'input' && type.shape.some((dim) => !isKnown(dim) && !known.has(dimText(dim))));
}

export function unlisted({ origin, type }: TracedValue): TfError {
  const name = origin.kind === 'input' ? origin.name : '';
  return new TfError('ArgumentError', `The result depends on the input ${JSON.stringify(name)} ${type.key}, which is not among the inputs listed. List it.`, { argument: name });
}

function checkNames(inputs: readonly TracedValue[]): void {
  const seen = new Set<string>();
  for (const { origin } of inputs) {
    if (origin.kind !== 'input') continue;
    if (seen.has(origin.name)) throw new TfError('ArgumentError', `Two inputs are called ${JSON.stringify(origin.name)}. Give every input() of one program its own name.`, { argument: origin.name });
    seen.add(origin.name);
  }
}

/** A program under assembly from traced values. */
class Assembly {
  readonly #variables: NumberedMap<TracedValue, Var>;
  readonly #positions: TracedValue[] = [];
  readonly #inputs: Var[] = [];
  readonly #leaves: TracedValue[] = [];
  readonly #bound: BoundInput[] = [];
  /** Bound inputs by what they hold: the same host tensor, or equal numbers of one dtype, come in once. */
  readonly #known = new Map<unknown, TracedValue>();
  readonly #instructions: Instruction[] = [];
  /** Nodes of one derivative share theirs. */
  readonly #constraints = new Map<DimConstraint, DimConstraint>();
  /** The program's own name for each introduced extent, and back. */
  readonly #names = new Map<string, Dim>();
  readonly #extents = new Map<string, Dim>();

  readonly #renames: boolean;

  /** `nodes` are those that will be appended. */
  constructor(nodes: readonly NodeOrigin[], renames = true) {
    const oldest = nodes[0]?.number ?? 0;
    this.#variables = new NumberedMap(({ origin }) => origin.number - oldest);
    this.#renames = renames;
  }

  input(value: TracedValue): void {
    const variable = this.#define(value, value.origin.kind === 'input' ? value.origin.name : undefined);
    this.#inputs.push(variable);
    this.#leaves.push(value);
  }

  bind(value: TracedValue): void {
    invariant(value.origin.kind === 'bound', 'Only a bound leaf can be bound');
    const held = value.origin.value;
    const key = typeof held === 'number' ? `${value.type.dtype} ${Object.is(held, -0) ? '-0' : String(held)}` : held;
    const twin = this.#known.get(key);
    if (twin !== undefined) {
      this.#variables.set(value, this.#variables.get(twin) as Var);
      return;
    }
    this.#known.set(key, value);
    this.#bound.push({ variable: this.#define(value, undefined), value: held });
    this.#leaves.push(value);
  }

  append(node: NodeOrigin): void {
    const inputs = node.inputs.map(this.#atom);
    const outputs = node.outputs.map(this.#output);
    this.#instructions.push({ operation: node.operation, inputs, params: this.#params(node), outputs, number: node.number });
    for (let at = 0; at < node.constraints.length; at++) {
      const constraint = node.constraints[at] as DimConstraint;
      if (!this.#constraints.has(constraint)) this.#constraints.set(constraint, this.#constraint(constraint));
    }
  }

  finish(outputs: readonly TracedAtom[]): Extraction {
    const program = Object.freeze({
      inputs: Object.freeze(this.#inputs),
      bound: Object.freeze(this.#bound),
      instructions: Object.freeze(this.#instructions),
      outputs: Object.freeze(outputs.map(this.#atom)),
      constraints: Object.freeze([...this.#constraints.values()]),
    });
    return { program, positionOf: (value) => this.#variables.get(value)?.id, positions: this.#positions, leaves: this.#leaves, extents: this.#extents };
  }

  readonly #atom = (value: TracedAtom): Atom => {
    if (isLiteral(value)) return value;
    const variable = this.#variables.get(value);
    if (variable === undefined) invariant(false, `A traced value ${value.type.key} is used before it is defined`);
    return variable;
  };

  /** An output that was cut keeps its place among the inputs; nobody reads the one computed here. */
  readonly #output = (output: TracedValue): Var => (this.#variables.has(output) ? this.#variable(output, undefined) : this.#define(output, undefined));

  #define(value: TracedValue, name: string | undefined): Var {
    const variable = this.#variable(value, name);
    this.#variables.set(value, variable);
    return variable;
  }

  #variable(value: TracedValue, name: string | undefined): Var {
    const id = this.#positions.push(value) - 1;
    return new FinishedVar(id, this.#type(value.type), name);
  }

  #type(type: TensorType): TensorType {
    for (let axis = 0; axis < type.shape.length; axis++) this.#name(type.shape[axis] as Dim);
    return this.#names.size === 0 ? type : substituteType(type, this.#names);
  }

  #params(node: NodeOrigin): Params {
    visitExtents(node, this.#name);
    if (this.#names.size === 0) return node.params;
    return mapParamDims(node.params, (dim) => substituteDim(dim, this.#names), (region) => renameExtents(region, this.#names));
  }

  #constraint(constraint: DimConstraint): DimConstraint {
    this.#name(constraint.left);
    this.#name(constraint.right);
    return substituteConstraint(constraint, this.#names);
  }

  /** Numbers introduced extents in the order in which they come up: programs of equal structure are equal. */
  readonly #name = (dim: Dim): void => {
    if (isKnown(dim) || !this.#renames) return;
    visitIntroduced(dim, (symbol) => {
      const name = (this.#names.get(symbol) as DimExpr | undefined)?.text ?? introducedName(this.#names.size);
      this.#names.set(symbol, symbolicDim(name));
      // Where it is introduced its source is not there yet: the types behind it know.
      if ((this.#extents.get(name) as DimExpr | undefined)?.sources === undefined) this.#extents.set(name, introducedDim(symbol, dim.sources?.get(symbol)));
    });
  };
}
