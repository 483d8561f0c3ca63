import { add, cast, checkOptions, type DType, flattenTree, isComplex, isInexact, isOperand, type Kind, mul, type Operand, sameStructure, stopGradient, sub, TfError, unflattenTree, wrongArgument, zeros } from '@tf/core';
import { requirePositive } from './settings.ts';

/** A tensor without axes, in whichever mode. */
export type Scalar = Operand<Kind, 'float64'>;

/** What each step is multiplied by: a number, or a function of the number of steps that are done. */
export type LearningRate = number | ((count: Scalar) => Operand);

/** What an optimiser remembers: a tree of tensors, which may be an argument and a result of a compiled function. */
export interface OptimizerState {
  /** The number of steps that are done. */
  readonly count: Scalar;
  /** By name, one tensor for each parameter that can be trained, in the order of the tree. */
  readonly slots: { readonly [slot: string]: readonly Operand[] };
}

export interface Update<P> {
  readonly parameters: P;
  readonly state: OptimizerState;
}

/** A method of descent as two functions without state of their own: the same in compiled programs and in eager code. */
export interface Optimizer {
  readonly name: string;
  /**
   * The state before the first step.
   *
   * @param parameters a tree of tensors; only floating and complex ones are trained.
   * @throws ArgumentError where the size of a parameter is not known.
   */
  init(parameters: unknown): OptimizerState;
  /**
   * One step. A parameter whose gradient is undefined stays as it is, and so does what is remembered of it.
   *
   * @param gradients the tree of `parameters`, with gradients at its leaves.
   * @throws ArgumentError for a tree of another structure or another method's state; ShapeError where a gradient has another shape than its parameter.
   */
  update<P>(parameters: P, gradients: unknown, state: OptimizerState): Update<P>;
}

/** One parameter in one step. */
export interface Site {
  readonly parameter: Operand;
  readonly gradient: Operand;
  /** What is remembered of it. */
  readonly slots: { readonly [slot: string]: Operand };
  /** The number of this step, from 1. */
  readonly count: Scalar;
}

/** What a method does with one parameter. */
export interface Method {
  readonly name: string;
  readonly rate: LearningRate;
  /** The dtype of what is remembered: the parameter's, or that of its magnitude. */
  readonly slots: { readonly [slot: string]: 'parameter' | 'magnitude' };
  /** The parameter becomes `parameter − rate · direction`. */
  step(site: Site): { readonly direction: Operand; readonly slots: { readonly [slot: string]: Operand } };
}

/** The dtype of |x|. */
export function magnitudeDType(dtype: DType): DType {
  return dtype === 'complex64' ? 'float32' : dtype === 'complex128' ? 'float64' : dtype;
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

interface Trained extends Leaf {
  readonly value: Operand;
}

const isTrained = (leaf: Leaf): leaf is Trained => isOperand(leaf.value) && isInexact(leaf.value.type.dtype);

function leavesOf(tree: unknown): readonly Leaf[] {
  const { leaves, paths } = flattenTree(tree);
  return leaves.map((value, at) => ({ value, path: paths[at] as string }));
}

/** Makes an optimiser of what a method does with one parameter. */
export function defineOptimizer(method: Method): Optimizer {
  const { name, slots } = method;
  if (typeof method.rate !== 'function') requirePositive(name, 'learningRate', method.rate, 'a positive number, or a function of the number of steps');
  return Object.freeze({
    name,
    init(parameters: unknown): OptimizerState {
      const trained = leavesOf(parameters).filter(isTrained);
      if (trained.length === 0) throw new TfError('ArgumentError', `${name}: there is no floating or complex tensor among the parameters. Give init a tensor, or a list or record of tensors.`, { op: name, argument: 'parameters' });
      const start = (of: 'parameter' | 'magnitude'): readonly Operand[] => trained.map(({ value, path }) => zeroBeside(name, path, value, of));
      return { count: zeros([]), slots: Object.fromEntries(Object.entries(slots).map(([slot, of]) => [slot, start(of)])) };
    },
    update: <P>(parameters: P, gradients: unknown, state: OptimizerState) => updated(method, parameters, gradients, state),
  });
}

function zeroBeside(op: string, path: string, { type }: Operand, of: 'parameter' | 'magnitude'): Operand {
  const shape = type.shape.map((dim) => {
    if (typeof dim !== 'number') throw new TfError('ArgumentError', `${op}: the parameter${named(path)} ${type.key} has an extent that is not known. Call init outside of the traced function, with tensors of known sizes.`, { op, argument: 'parameters' });
    return dim;
  });
  return zeros(shape, { dtype: of === 'parameter' ? type.dtype : magnitudeDType(type.dtype) });
}

const named = (path: string): string => (path === '' ? '' : ` ${path}`);

function updated<P>(method: Method, parameters: P, gradients: unknown, state: OptimizerState): Update<P> {
  const { name } = method;
  const [tree, given] = [flattenTree(parameters), leavesOf(gradients)];
  if (!sameStructure(tree.structure, flattenTree(gradients).structure)) throw new TfError('ArgumentError', `${name}: the gradients have not the structure of the parameters: ${tree.paths.join(', ')} meet ${given.map(({ path }) => path).join(', ')}. Both are one tree, as grad(f)(parameters) gives it.`, { op: name, argument: 'gradients' });
  const remembered = requireState(method, state, leavesOf(parameters).filter(isTrained).length);
  const count = add(state.count, 1) as Scalar;
  const slots: Record<string, Operand[]> = Object.fromEntries(Object.keys(method.slots).map((slot) => [slot, []]));
  let place = 0;
  const leaves = leavesOf(parameters).map((leaf, at) => {
    if (!isTrained(leaf)) return leaf.value;
    const own = Object.fromEntries(Object.entries(remembered).map(([slot, tensors]) => [slot, tensors[place] as Operand]));
    place++;
    const next = stepped(method, leaf, (given[at] as Leaf).value, own, { before: state.count, count });
    for (const slot in slots) slots[slot]!.push(next.slots[slot] as Operand);
    return next.parameter;
  });
  return { parameters: unflattenTree(tree.structure, leaves) as P, state: { count, slots } };
}

interface Clock {
  readonly before: Scalar;
  readonly count: Scalar;
}

function stepped(method: Method, { path, value }: Trained, gradient: unknown, slots: Site['slots'], { before, count }: Clock): { readonly parameter: Operand; readonly slots: Site['slots'] } {
  if (gradient === undefined || gradient === null) return { parameter: value, slots };
  requireGradient(method.name, path, value, gradient);
  const parameter = stopGradient(value);
  const step = method.step({ parameter, gradient: stopGradient(gradient), slots, count });
  const rate = typeof method.rate === 'number' ? method.rate : cast(stopGradient(method.rate(before)), magnitudeDType(value.type.dtype));
  return { parameter: sub(parameter, mul(step.direction, rate)) as Operand, slots: step.slots };
}

function requireGradient(op: string, path: string, { type }: Operand, gradient: unknown): asserts gradient is Operand {
  if (!isOperand(gradient)) throw wrongArgument(op, `the gradient${named(path)}`, gradient, 'a tensor, or undefined where the parameter is to stay');
  if (gradient.type.shape.length !== type.shape.length || type.shape.some((dim, axis) => typeof dim === 'number' && typeof gradient.type.shape[axis] === 'number' && gradient.type.shape[axis] !== dim)) throw new TfError('ShapeError', `${op}: the gradient${named(path)} is ${gradient.type.key}, its parameter ${type.key}. They need one shape.`, { op, argument: 'gradients' });
  if (isComplex(gradient.type.dtype) && !isComplex(type.dtype)) throw new TfError('DTypeError', `${op}: the gradient${named(path)} is ${gradient.type.key}, its parameter ${type.key}: a real parameter has a real gradient.`, { op, argument: 'gradients' });
}

function requireState({ name, slots }: Method, state: OptimizerState, parameters: number): OptimizerState['slots'] {
  checkOptions(name, state, { count: () => undefined, slots: () => undefined });
  const fits = isOperand(state.count) && Object.keys(slots).every((slot) => state.slots[slot]?.length === parameters);
  if (!fits) throw new TfError('ArgumentError', `${name}: the state is not that of ${name} for ${parameters} parameters. Begin with init(parameters), and hand on what update gives.`, { op: name, argument: 'state' });
  return state.slots;
}
