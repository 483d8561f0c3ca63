import type { Params, ParamValue, Program } from '../contract.ts';
import type { Dim, DimExpr } from '../types/dim.ts';

export function isProgram(value: unknown): value is Program {
  return typeof value === 'object' && value !== null && 'instructions' in value;
}

export function isDimExpr(value: unknown): value is DimExpr {
  return typeof value === 'object' && value !== null && 'terms' in value;
}

/** Parameter names in the one order in which they are printed, hashed and compared. */
export function paramNames(params: Params): readonly string[] {
  const names = Object.keys(params);
  return names.length < 2 ? names : names.sort();
}

/** The programs among an instruction's parameters, in order. */
export function regionsOf(params: Params): readonly Program[] {
  let regions: Program[] | undefined;
  for (const name of paramNames(params)) {
    const value = params[name] as ParamValue;
    if (isProgram(value)) (regions ??= []).push(value);
    else if (Array.isArray(value)) for (const item of value as readonly ParamValue[]) if (isProgram(item)) (regions ??= []).push(item);
  }
  return regions ?? [];
}

/** How many instructions a program has, those of the programs among their parameters included. */
export function instructionCount({ instructions }: Program): number {
  let count = instructions.length;
  for (const { operation, params } of instructions) if (operation.traits.control !== undefined) for (const region of regionsOf(params)) count += instructionCount(region);
  return count;
}

/** Whether an instruction has no parameters. */
export function hasNone(params: Params): boolean {
  for (const _ in params) return false;
  return true;
}

/** Calls `visit` with every symbolic extent among an instruction's parameters, those of its regions apart. */
export function visitParamDims(params: Params, visit: (dim: DimExpr) => void): void {
  for (const name in params) visitValue(params[name] as ParamValue, visit);
}

function visitValue(value: ParamValue, visit: (dim: DimExpr) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const item of value as readonly ParamValue[]) visitValue(item, visit);
  else if (isDimExpr(value)) visit(value);
}

/** The parameters with other extents; `region` says what becomes of a program among them. */
export function mapParamDims(params: Params, map: (dim: DimExpr) => Dim, region: (program: Program) => Program): Params {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, mapValue(value, map, region)]));
}

function mapValue(value: ParamValue, map: (dim: DimExpr) => Dim, region: (program: Program) => Program): ParamValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isDimExpr(value)) return map(value);
  if (isProgram(value)) return region(value);
  return (value as readonly ParamValue[]).map((item) => mapValue(item, map, region));
}
