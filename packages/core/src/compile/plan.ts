import type { Atom, Instruction, Plan, PlanBuffer, Program, Var } from '../contract.ts';
import { authored } from '../program/authored.ts';
import { unregistered } from '../program/unregistered.ts';
import { addDims, type Dim, mulDims, sameDim } from '../types/dim.ts';
import { dtypes } from '../types/dtype.ts';
import { upperBound } from '../types/extent.ts';
import { elementCount } from '../types/shape.ts';
import { contractVersion } from '../types/version.ts';
import { assignSlots } from './arena.ts';
import { isContiguous, type Layout, mapAxes, reshapeLayout } from './layout.ts';
import { callStep } from './call-steps.ts';
import { fusionUnits, singleUnits } from './fuse.ts';
import { fusedStep, reductionStep } from './fused-steps.ts';
import { isView } from './groups.ts';
import { gatherStep, scatterStep } from './indexed-steps.ts';
import { boundedSlots, boundsOf, definedConstraints, extentStep, sizeStep } from './extent-steps.ts';
import { controlSteps, type RegionPlan } from './control-steps.ts';
import type { Pass } from './passes.ts';
import { Planner } from './planner.ts';
import type { ProgramIndex } from './program-index.ts';
import { scanStep } from './scan-steps.ts';
import { assemblySteps, boxAddStep, contractStep, copyLoop, iotaStep } from './steps.ts';
import { sortStep } from './sort-steps.ts';
import { kernelCall, type PlanTarget, wantedCall } from './target.ts';
import { tileSteps } from './tile.ts';
import type { Unit } from './unit-order.ts';

/** Ways to execute a program that change no bit. */
export interface PlanChoices {
  readonly fuse: boolean;
  readonly tile: boolean;
  /** The rewriting that programs inside get too. */
  readonly passes: readonly Pass[];
  readonly target: PlanTarget;
}

/** Turns a program into steps on buffers. */
export function planProgram(program: Program, choices: PlanChoices, donate: readonly number[] = []): Plan {
  const planner = new Planner(program, choices.target.indices);
  const inputs = [...program.inputs, ...program.bound.map(({ variable }) => variable)];
  planInside(planner, inputs.map((input, index) => planner.scratch(input.type, { kind: 'input', index })), choices);
  program.outputs.forEach((output, index) => planOutput(planner, output, index));
  const steps = choices.tile ? tileSteps(planner.buffers, planner.steps) : planner.steps;
  const arena = assignSlots(planner.buffers, steps, donate);
  const bounds = boundsOf(steps);
  return {
    contract: contractVersion,
    inputs: inputs.map((input) => input.type),
    outputs: program.outputs.map((output) => output.type),
    buffers: arena.buffers,
    slots: boundedSlots(arena.slots, bounds),
    donations: arena.donations,
    steps,
    constraints: definedConstraints(program, bounds),
    intermediateBytes: upperBound(intermediateBytes(planner.index), bounds),
  };
}

/** Plans the instructions of the planner's program, whose inputs, bound ones after the others, lie in `inputs`. */
function planInside(planner: Planner, inputs: readonly Layout[], choices: PlanChoices): void {
  const units = choices.fuse ? fusionUnits(planner.index) : singleUnits(planner.index);
  planner.schedule(units);
  const { program } = planner.index;
  [...program.inputs, ...program.bound.map(({ variable }) => variable)].forEach((input, index) => planner.define(input, inputs[index] as Layout));
  units.forEach((unit, at) => {
    planner.now = at;
    planUnit(planner, unit, choices);
  });
}

/** How control flow plans the programs inside it: rewritten as the whole was. */
function regionPlan(choices: PlanChoices): RegionPlan {
  return {
    prepare: (region) => choices.passes.reduce((program, pass) => pass.run(program, choices.target), region),
    plan: (planner, inputs) => planInside(planner, inputs, choices),
  };
}

/** What the values that are neither inputs nor outputs nor views of others would take, each by itself. */
function intermediateBytes({ instructions, firstOutput, isOutput, types, codes }: ProgramIndex): Dim {
  const counts = new Int32Array(codes.types.known.length);
  for (let at = 0; at < instructions.length; at++) {
    if (isView(instructions[at] as Instruction)) continue;
    for (let value = firstOutput[at] as number; value < (firstOutput[at + 1] as number); value++) if (isOutput[value] === 0) counts[types[value] as number]!++;
  }
  return codes.types.known.reduce<Dim>((total, { dtype, shape }, code) => (counts[code] === 0 ? total : addDims(total, mulDims(elementCount(shape), (counts[code] as number) * dtypes[dtype].bytes))), 0);
}

function planUnit(planner: Planner, { members, root, stored }: Unit, choices: PlanChoices): void {
  const instruction = root === undefined ? undefined : (planner.index.instructions[root] as Instruction);
  if (instruction === undefined) fusedStep(planner, members, stored);
  else if (instruction.operation.traits.reduction !== undefined) reductionStep(planner, instruction, members, instruction.operation.traits.reduction);
  else if (instruction.operation.traits.control !== undefined) controlSteps(planner, instruction, instruction.operation.traits.control(instruction.params), regionPlan(choices));
  else {
    const call = kernelCall(instruction, choices.target);
    if (call === undefined) authored(instruction.operation, 'traits', () => planInstruction(planner, instruction));
    else callStep(planner, instruction, call);
  }
}

function planInstruction(planner: Planner, instruction: Instruction): void {
  const { traits } = instruction.operation;
  if (traits.identity === true || traits.barrier === true) planner.define(instruction.outputs[0] as Var, planner.layoutOf(instruction.inputs[0] as Atom));
  else if (traits.layout !== undefined) planLayout(planner, instruction);
  else if (traits.scan !== undefined) scanStep(planner, instruction, traits.scan(instruction.params, instruction.inputs.map(({ type }) => type.dtype)));
  else if (traits.sort !== undefined) sortStep(planner, instruction, traits.sort(instruction.params));
  else if (traits.iota === true) iotaStep(planner, instruction);
  else if (traits.assembly !== undefined) assemblySteps(planner, instruction, traits.assembly);
  else if (traits.gather !== undefined) gatherStep(planner, instruction, traits.gather);
  else if (traits.boxAdd !== undefined) boxAddStep(planner, instruction, traits.boxAdd);
  else if (traits.scatter !== undefined) scatterStep(planner, instruction, traits.scatter);
  else if (traits.contraction !== undefined) contractStep(planner, instruction, traits.contraction(instruction.params));
  else if (traits.extent !== undefined) extentStep(planner, instruction, traits.extent(instruction.params));
  else if (traits.size !== undefined) sizeStep(planner, instruction, traits.size(instruction.params));
  else throw unregistered(instruction.operation, 'module', wantedCall(instruction)?.symbol);
}

/** A layout operation moves no element if the kernels can walk the result where it lies. */
function planLayout(planner: Planner, instruction: Instruction): void {
  const [input] = instruction.inputs as readonly [Atom];
  const [output] = instruction.outputs as readonly [Var];
  const layout = planner.layoutOf(input);
  const map = (instruction.operation.traits.layout as NonNullable<Instruction['operation']['traits']['layout']>)(instruction.params, input.type, output.type);
  if (map.kind === 'axes') {
    planner.define(output, mapAxes(layout, map, output.type.shape));
    return;
  }
  const view = reshapeLayout(layout, output.type.shape);
  if (view !== undefined) {
    planner.define(output, view);
    return;
  }
  const copy = planner.scratch(input.type);
  planner.steps.push(copyLoop(planner, input.type.dtype, layout, copy));
  planner.define(output, reshapeLayout(copy, output.type.shape) as Layout);
}

function planOutput(planner: Planner, output: Atom, index: number): void {
  const layout = planner.layoutOf(output);
  const place = (planner.buffers[layout.buffer] as PlanBuffer).place;
  if (place.kind === 'output' && place.index === index && isContiguous(layout)) return;
  const target = planner.scratch(output.type, { kind: 'output', index });
  const { dtype } = output.type;
  if (isContiguous(layout) && sameDim(elementCount(layout.shape), elementCount(target.shape))) {
    planner.steps.push({ kind: 'copy', dtype, elements: elementCount(layout.shape), from: { buffer: layout.buffer, offset: layout.offset }, to: { buffer: target.buffer, offset: 0 } });
  } else planner.steps.push(copyLoop(planner, dtype, layout, target));
}
