import type { Params, ParamValue, Program } from '../contract.ts';
import type { DimExpr } from '../types/dim.ts';

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
