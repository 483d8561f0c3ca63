/** Refuses a plan that this engine cannot run, before anything runs. */
import { type BufferView, type DType, invariant, isKnown, type KernelAccess, loop, type LoopKernel, type LoopStep, type Plan, type PlanBuffer, type Step, TfError } from '@tf/core';
import { requireNumeric, storageOf } from '../codegen/storage.ts';

const contract = 1;

export function checkPlan(plan: Plan): void {
  if (plan.contract !== contract) {
    throw new TfError('ExtensionError', `cpu-wasm speaks contract ${contract}, the plan contract ${String(plan.contract)}. Install matching versions of @tf/core and @tf/engine-cpu-wasm.`, { engine: 'cpu-wasm' });
  }
  for (const { dtype } of [...plan.inputs, ...plan.outputs, ...plan.buffers]) storageOf(dtype);
  const kernels = new Set<LoopKernel>();
  plan.steps.forEach((step, index) => checkStep(plan, step, index, kernels));
  const filled = new Set<number>();
  plan.buffers.forEach((buffer, index) => checkPlace(plan, buffer, index));
  for (const { place } of plan.buffers) if (place.kind === 'output') filled.add(place.index);
  plan.outputs.forEach((_, index) => invariant(filled.has(index), `plan: output ${index} has no buffer`));
}

function checkPlace({ inputs, outputs, slots }: Plan, { place }: PlanBuffer, buffer: number): void {
  if (place.kind === 'constant') return;
  if (place.kind === 'tile') return;
  const index = place.kind === 'arena' ? place.slot : place.index;
  const count = (place.kind === 'input' ? inputs : place.kind === 'output' ? outputs : slots).length;
  if (!(index >= 0 && index < count)) invariant(false, `plan: buffer ${buffer} is ${place.kind} ${index} of ${count}`);
}

/** Messages are made only when they are needed: a plan may have a million views. `kernels` were checked before: steps share them. */
function checkStep(plan: Plan, step: Step, index: number, kernels: Set<LoopKernel>): void {
  switch (step.kind) {
    case 'loop':
      if (!kernels.has(step.kernel)) loop.checkKernel(step.kernel);
      kernels.add(step.kernel);
      checkLoop(plan, step, index);
      return;
    case 'contract': {
      requireNumeric(step.dtype, 'contract');
      const rank = step.batch.length + 2;
      for (const view of [step.lhs, step.rhs, step.out]) checkView(plan, view, step.dtype, rank, index);
      return;
    }
    case 'gather':
    case 'scatter': {
      if (step.kind === 'scatter') requireNumeric(step.dtype, 'scatter');
      const rank = step.extents.length;
      checkView(plan, step.indices, 'int32', rank, index);
      for (const view of step.kind === 'gather' ? [step.source, step.out] : [step.updates, step.target]) checkView(plan, view, step.dtype, rank, index);
      return;
    }
    case 'tile':
      for (const inner of step.steps) {
        const outer = inner.kernel.rank - (inner.kernel.reduce?.axes ?? 0);
        if (outer < 1) invariant(false, `plan: step ${index} has a loop without rows`);
        checkStep(plan, inner, index, kernels);
      }
      return;
    case 'copy':
      for (const side of [step.from, step.to]) checkView(plan, { ...side, strides: [] }, step.dtype, 0, index);
  }
}

function checkLoop(plan: Plan, { kernel, extents, reads, writes }: LoopStep, index: number): void {
  const { rank } = kernel;
  const written = rank - (kernel.reduce?.axes ?? 0);
  const fits = extents.length === rank && reads.length === kernel.reads.length && writes.length === kernel.writes.length;
  if (!fits) invariant(false, `plan: step ${index} has ${extents.length} extents, ${reads.length} reads, ${writes.length} writes for a kernel of rank ${rank}`);
  for (let i = 0; i < reads.length; i++) {
    checkView(plan, reads[i]!, kernel.reads[i]!.dtype, rank, index);
    checkInner(reads[i]!, kernel.reads[i]!, rank, index);
  }
  for (let i = 0; i < writes.length; i++) {
    checkView(plan, writes[i]!, kernel.writes[i]!.dtype, written, index);
    if (kernel.reduce === undefined) checkInner(writes[i]!, kernel.writes[i]!, rank, index);
  }
}

function checkView(plan: Plan, { buffer, strides }: BufferView, dtype: DType, rank: number, index: number): void {
  const of = plan.buffers[buffer];
  if (of?.dtype !== dtype) invariant(false, `plan: step ${index} takes buffer ${buffer} as ${dtype}`);
  if (of.place.kind === 'tile' && plan.steps[index]!.kind !== 'tile') invariant(false, `plan: step ${index} takes buffer ${buffer}, which holds no more than a tile`);
  if (strides.length < rank) invariant(false, `plan: step ${index} has ${strides.length} strides for ${rank} axes of buffer ${buffer}`);
}

/** The code relies on it: a contiguous operand steps by one element, a broadcast one not at all. */
function checkInner({ strides }: BufferView, { inner }: KernelAccess, rank: number, index: number): void {
  if (inner === 'strided' || rank === 0) return;
  const stride = strides[rank - 1]!;
  if (stride !== (inner === 'contiguous' ? 1 : 0)) invariant(false, `plan: step ${index} calls an operand ${inner} whose stride is ${String(isKnown(stride) ? stride : stride.text)}`);
}
