import { type Atom, Builder, type Instruction, isComplex, isInexact, isLiteral, type Literal, type Program, take, takeAlongAxis, tensorType, type Var } from '@tf/core';
import { type HostValue, interpretProgram } from '@tf/testkit';
import { operandsOf, type Visit } from '../reference.ts';

/**
 * The program whose derivative differences see: what stopGradient passed on are further inputs, held where they were. All
 * floating values come out, so that branches and infinities on the way are seen.
 */
export interface Frozen {
  readonly program: Program;
  readonly held: readonly Var[];
  readonly watched: readonly Var[];
}

export function freeze(program: Program): Frozen {
  const stops = program.instructions.filter(({ operation }) => operation.name === 'stopGradient');
  const held = stops.flatMap(({ outputs }) => outputs);
  const instructions = program.instructions.filter((instruction) => !stops.includes(instruction));
  const watched = instructions.flatMap(({ outputs }) => outputs);
  const outputs: Atom[] = [...program.outputs, ...watched];
  return { program: { ...program, inputs: [...program.inputs, ...held], instructions, outputs }, held, watched };
}

/** Complex functions that jump where a part changes its sign, or may. */
const cuts: ReadonlySet<string> = new Set(['abs', 'sign', 'angle', 'log', 'log1p', 'sqrt', 'rsqrt', 'pow', 'asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh']);

/** Real functions that bend, or are infinitely steep, where their operand changes its sign. */
const bends: ReadonlySet<string> = new Set(['abs', 'sign', 'pow', 'divideOrZero', 'multiplyOrZero', 'cbrt']);
/** Functions with jumps, constant between them. */
export const jumps: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'trunc', 'floorDivide']);
/** Functions with poles at 0, −1, −2, …. */
const poles: ReadonlySet<string> = new Set(['lgamma', 'digamma', 'polygamma']);

/** Where a program and the programs inside it bend, as text: equal at neighbouring points when no branch was changed between them. */
export function branches(visits: readonly Visit[]): string {
  return visits.map(branchesOf).join('/');
}

function branchesOf({ program, values }: Visit): string {
  const parts: string[] = [];
  for (const instruction of program.instructions) {
    const { name } = instruction.operation;
    const [output] = instruction.outputs as readonly [Var];
    const value = values.get(output) as HostValue;
    // Integers and booleans, as computed: a step in them is a jump of whatever depends on them.
    if (instruction.inputs.some((input) => isInexact(input.type.dtype))) for (const counted of instruction.outputs) if (!isInexact(counted.type.dtype)) parts.push((values.get(counted) as HostValue).data.join());
    if (!isInexact(output.type.dtype)) continue;
    const [x, y] = operandsOf(instruction, values) as readonly [HostValue, HostValue];
    if (isComplex(x.type.dtype) && cuts.has(name)) parts.push(signs(x));
    else if (bends.has(name)) parts.push(signs(x));
    else if (name === 'maximum' || name === 'minimum' || name === 'clampMin' || name === 'clampMax') parts.push(winners(value, x, y));
    else if (name === 'atan2' || name === 'hypot') parts.push(signs(x), signs(y));
    else if (jumps.has(name)) parts.push(value.data.join());
    else if (name === 'fmod' || name === 'remainder') parts.push(quotients(value, x, y));
    else if (poles.has(name)) parts.push(Array.from(x.data as ArrayLike<number>, (at) => Math.floor(Math.min(at, 0))).join());
    else if (name === 'reduceMax' || name === 'reduceMin') parts.push(extremal(instruction, x, value));
    else if (name === 'cummax' || name === 'cummin') parts.push(risen(instruction, x, value));
    // Both turn from one operand to the other within a distance of 1: at a step of more they bend as a maximum does.
    else if (name === 'logAddExp') parts.push(winners(value, x, y, 0.5));
    else if (name === 'cumLogSumExp') parts.push(risen(instruction, x, value, 0.5));
    else if (name === 'scatterMax' || name === 'scatterMin') parts.push(winners(value, x, value), winners(updatesOf(instruction, values), updatesOf(instruction, values), gathered(instruction, value, values)));
  }
  return parts.join('|');
}

/**
 * Why a program has no derivative at this point although its values vary smoothly nearby: a negative base has powers with
 * whole exponents only, at 0 the slope of a root is infinite even where nothing moves, and with an infinite exponent the
 * slope is ∞·0.
 */
export function edgeOf(visits: readonly Visit[]): string | undefined {
  return visits.some(hasEdge) ? 'a power at the edge of its domain' : undefined;
}

/** Where functions have a value and an infinite slope, real ones and complex ones. */
const steep: { readonly [name: string]: { readonly real: readonly number[]; readonly complex: readonly number[] } } = {
  sqrt: { real: [0], complex: [0] },
  cbrt: { real: [0], complex: [] },
  asin: { real: [-1, 1], complex: [-1, 1] },
  acos: { real: [-1, 1], complex: [-1, 1] },
  acosh: { real: [1], complex: [-1, 1] },
};

/** What a visit reads where a slope is infinite, and the parts of it that are there. */
export function steepPlaces({ program, values }: Visit): ReadonlyMap<Var, readonly number[]> {
  const found = new Map<Var, readonly number[]>();
  for (const instruction of program.instructions) {
    const [x] = instruction.inputs;
    const points = steep[instruction.operation.name];
    if (points === undefined || x === undefined || isLiteral(x)) continue;
    const { type, data } = values.get(x) as HostValue;
    const parts = Array.from(data as ArrayLike<number>, (_, at) => at).filter((at) => (isComplex(type.dtype) ? data[at - (at % 2) + 1] === 0 && points.complex.includes(Number(data[at - (at % 2)])) : points.real.includes(Number(data[at]))));
    if (parts.length > 0) found.set(x, [...(found.get(x) ?? []), ...parts]);
  }
  return found;
}

function hasEdge({ program, values }: Visit): boolean {
  return program.instructions.some((instruction) => {
    if (instruction.operation.name !== 'pow') return false;
    const [base, exponent] = operandsOf(instruction, values) as readonly [HostValue, HostValue];
    if (!Array.from(exponent.data as ArrayLike<number>).every(Number.isFinite)) return true;
    const fixed = isLiteral(instruction.inputs[1] as Atom) ? Number(exponent.data[0]) : undefined;
    const isZero = (at: number): boolean => base.data[at] === 0 && base.data[at + 1] === 0;
    if (isComplex(base.type.dtype)) return Array.from({ length: base.data.length / 2 }, (_, element) => isZero(2 * element)).some(Boolean);
    return Array.from(base.data as ArrayLike<number>).some((x) => (fixed === undefined ? x <= 0 : x === 0 && fixed < 1 && fixed !== 0));
  });
}

/** What goes into periodic functions: samples must not lie periods apart. */
export function angles(visits: readonly Visit[]): readonly number[] {
  return visits.flatMap(({ program, values }) => program.instructions.flatMap((instruction) => {
    const { name } = instruction.operation;
    return name === 'sin' || name === 'cos' || name === 'tan' ? Array.from((operandsOf(instruction, values)[0] as HostValue).data as ArrayLike<number>) : [];
  }));
}

function signs({ data }: HostValue): string {
  return Array.from(data as ArrayLike<number>, (x) => Math.sign(x)).join();
}

/** Which operand each element of a maximum came from: compared by value, so a tie is a branch of its own. */
function winners(over: HostValue, x: HostValue, y: HostValue, within = 0): string {
  return elements(over, x, y, (a, b) => signBeyond(a - b, within)).join();
}

function signBeyond(difference: number, within: number): number {
  return Math.abs(difference) <= within ? 0 : Math.sign(difference);
}

/** How often the divisor was taken away. */
function quotients(rest: HostValue, x: HostValue, y: HostValue): string {
  return elements(rest, x, y, (a, b, at) => Math.round((a - Number(rest.data[at])) / b)).join();
}

/** f of the elements of x and y that broadcasting puts at each place. */
export function elements(over: HostValue, x: HostValue, y: HostValue, f: (a: number, b: number, at: number) => number): readonly number[] {
  const shape = over.type.shape as readonly number[];
  const read = (operand: HostValue): ((at: number) => number) => {
    const own = operand.type.shape as readonly number[];
    return (at) => {
      let rest = at;
      let position = 0;
      let stride = 1;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        const index = rest % (shape[axis] as number);
        rest = Math.floor(rest / (shape[axis] as number));
        const extent = own[axis - shape.length + own.length];
        if (extent === undefined) continue;
        if (extent !== 1) position += index * stride;
        stride *= extent;
      }
      return Number(operand.data[position]);
    };
  };
  const [a, b] = [read(x), read(y)];
  return Array.from(over.data as ArrayLike<number>, (_, at) => f(a(at), b(at), at));
}

/** Which elements are the extremum of their group. */
function extremal({ params }: Instruction, x: HostValue, result: HostValue): string {
  const axes = params['axes'] as readonly number[];
  const shape = x.type.shape as readonly number[];
  const kept = shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  return winners(x, x, { type: tensorType('float64', kept), data: result.data });
}

/** Which elements are a new extremum of those before them. */
function risen({ params }: Instruction, x: HostValue, result: HostValue, within = 0): string {
  const shape = x.type.shape as readonly number[];
  const axis = params['axis'] as number;
  const stride = shape.slice(axis + 1).reduce((product, extent) => product * extent, 1);
  const back = params['reverse'] === true ? -stride : stride;
  const length = shape[axis] as number;
  const isFirst = (at: number): boolean => Math.floor(at / stride) % length === (back > 0 ? 0 : length - 1);
  return Array.from(x.data as ArrayLike<number>, (own, at) => (isFirst(at) ? 0 : signBeyond(own - Number(result.data[at - back]), within))).join();
}

function updatesOf(instruction: Instruction, values: ReadonlyMap<Var, HostValue>): HostValue {
  return operandsOf(instruction, values)[2] as HostValue;
}

/** What a scatter left in the places of its updates. */
function gathered({ params, inputs }: Instruction, result: HostValue, values: ReadonlyMap<Var, HostValue>): HostValue {
  const builder = new Builder();
  const [x, places] = [builder.input(result.type), builder.input((inputs[1] as Atom).type)];
  const taken = (params['mode'] === 'along' ? takeAlongAxis : take)(x, places as Var<'int32'>, params['axis'] as number) as Var;
  const indices = isLiteral(inputs[1] as Atom) ? { type: (inputs[1] as Atom).type, data: (inputs[1] as Literal).data } : (values.get(inputs[1] as Var) as HostValue);
  return interpretProgram(builder.build([taken]), [result, indices])[0] as HostValue;
}
