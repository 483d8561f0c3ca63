/** Refuses a plan that this engine cannot run, before anything runs. */
import { type BufferView, type DType, invariant, isKnown, type KernelAccess, loop, type LoopStep, type Plan, type Step, TfError } from '@tf/core';
import { requireNumeric, storageOf } from '../codegen/storage.ts';

const contract = 1;

export function checkPlan(plan: Plan): void {
  if (plan.contract !== contract) {
    throw new TfError('ExtensionError', `cpu-wasm speaks contract ${contract}, the plan contract ${String(plan.contract)}. Install matching versions of @tf/core and @tf/engine-cpu-wasm.`, { engine: 'cpu-wasm' });
  }
  for (const { dtype } of [...plan.inputs, ...plan.outputs, ...plan.buffers]) storageOf(dtype);
  plan.steps.forEach((step, index) => checkStep(plan, step, index));
  plan.outputs.forEach((_, index) => {
    invariant(plan.buffers.some(({ place }) => place.kind === 'output' && place.index === index), `plan: output ${index} has no buffer`);
  });
}

function checkStep(plan: Plan, step: Step, index: number): void {
  switch (step.kind) {
    case 'loop':
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
    case 'copy':
      for (const side of [step.from, step.to]) checkView(plan, { ...side, strides: [] }, step.dtype, 0, index);
  }
}

function checkLoop(plan: Plan, { kernel, extents, reads, writes }: LoopStep, index: number): void {
  loop.checkKernel(kernel);
  const { rank } = kernel;
  const written = rank - (kernel.reduce?.axes ?? 0);
  const fits = extents.length === rank && reads.length === kernel.reads.length && writes.length === kernel.writes.length;
  invariant(fits, `plan: step ${index} has ${extents.length} extents, ${reads.length} reads, ${writes.length} writes for a kernel of rank ${rank}`);
  reads.forEach((view, i) => {
    checkView(plan, view, kernel.reads[i]!.dtype, rank, index);
    checkInner(view, kernel.reads[i]!, rank, index);
  });
  writes.forEach((view, i) => {
    checkView(plan, view, kernel.writes[i]!.dtype, written, index);
    if (kernel.reduce === undefined) checkInner(view, kernel.writes[i]!, rank, index);
  });
}

function checkView(plan: Plan, { buffer, strides }: BufferView, dtype: DType, rank: number, index: number): void {
  const of = plan.buffers[buffer];
  invariant(of !== undefined && of.dtype === dtype, `plan: step ${index} takes buffer ${buffer} as ${dtype}`);
  invariant(strides.length >= rank, `plan: step ${index} has ${strides.length} strides for ${rank} axes of buffer ${buffer}`);
}

/** The code relies on it: a contiguous operand steps by one element, a broadcast one not at all. */
function checkInner({ strides }: BufferView, { inner }: KernelAccess, rank: number, index: number): void {
  if (inner === 'strided' || rank === 0) return;
  const stride = strides[rank - 1]!;
  invariant(isKnown(stride) && stride === (inner === 'contiguous' ? 1 : 0), `plan: step ${index} calls an operand ${inner} whose stride is ${String(isKnown(stride) ? stride : stride.text)}`);
}
