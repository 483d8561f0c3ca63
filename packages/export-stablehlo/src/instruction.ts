/** One instruction as StableHLO, by its traits: as `compile/plan.ts` plans it. */
import { type Instruction, TfError } from '@tf/core';
import { type ControlSite, dynamicExtent, emitControl } from './control.ts';
import { emitElementwise } from './elementwise.ts';
import type { Emitter } from './emitter.ts';
import { emitContraction, emitReduction, emitScan } from './fold.ts';
import { emitGather, emitScatter } from './indexed.ts';
import { emitAssembly, emitBoxAdd, emitLayout } from './layout.ts';
import type { ModuleWriter } from './module.ts';
import { type ApplyFunction, emitNative, type Roles } from './roles.ts';
import { emitSort } from './sort.ts';
import { typesText, type Value, type ValueType } from './text.ts';

export interface Writer {
  readonly module: ModuleWriter;
  readonly region: ControlSite['region'];
  readonly roles: Roles;
  readonly apply: ApplyFunction;
}

/** @throws UnsupportedOnEngineError for an operation that XLA cannot run, or that says nothing of what it computes. */
export function emitInstruction(emitter: Emitter, writer: Writer, instruction: Instruction, operands: readonly Value[]): readonly Value[] {
  const { operation, params, inputs, outputs } = instruction;
  const { traits } = operation;
  const role = writer.roles.of(operation);
  if (role !== undefined) return emitNative(emitter, writer.apply, role, instruction, operands);
  if (traits.elementwise !== undefined) return emitElementwise(emitter, writer.module, instruction, operands);
  if (traits.control !== undefined) return emitControl({ emitter, ...writer, types: outputs.map(({ type }) => emitter.typeOf(type)) }, traits.control(params), operands);
  if (traits.sort !== undefined) return emitSort(emitter, traits.sort(params), operands[0] as Value);
  if (traits.extent !== undefined) throw dynamicExtent(operation.id);
  const [first, second] = operands as readonly [Value, Value];
  const types = inputs.map(({ type }) => type);
  const [{ type: output }] = outputs as readonly [Instruction['outputs'][number]];
  if (traits.reduction !== undefined) return [emitReduction(emitter, traits.reduction, instruction, first)];
  if (traits.identity === true) return [first];
  if (traits.barrier === true) return [barrier(emitter, first)];
  if (traits.layout !== undefined) return [emitLayout(emitter, traits.layout(params, types[0] as (typeof types)[number], output), first, output)];
  if (traits.scan !== undefined) return [emitScan(emitter, writer.module, traits.scan(params, types.map(({ dtype }) => dtype)), instruction, operands)];
  if (traits.iota === true) return [emitIota(emitter, emitter.typeOf(output))];
  if (traits.assembly !== undefined) return [emitAssembly(emitter, traits.assembly(params, types, output), operands, output)];
  if (traits.gather !== undefined) return [emitGather(emitter, traits.gather(params, types), [first, second], emitter.typeOf(output))];
  if (traits.boxAdd !== undefined) return [emitBoxAdd(emitter, instruction, [first, second])];
  if (traits.scatter !== undefined) return [emitScatter(emitter, traits.scatter(params, types), operands as readonly [Value, Value, Value])];
  if (traits.contraction !== undefined) return [emitContraction(emitter, traits.contraction(params), [first, second], emitter.typeOf(output))];
  if (traits.size !== undefined) return [emitter.int32(emitter.extent(traits.size(params)))];
  throw new TfError('UnsupportedOnEngineError', `exportStableHlo: ${operation.id} has neither traits nor a lowering that say what it computes, so that no StableHLO can be written for it. Where its package says what it becomes, give that: exportStableHlo(program, { families: [linalgStableHlo] }).`, { op: operation.id, family: operation.family, engine: 'xla' });
}

function barrier(emitter: Emitter, x: Value): Value {
  return emitter.write('stablehlo.optimization_barrier', `${x.name} : ${typesText([x])}`, x);
}

function emitIota(emitter: Emitter, type: ValueType): Value {
  return emitter.iota(type.element, type.shape, 0);
}

