/** The dtypes that an engine runs. */
import { TfError } from '../errors.ts';
import type { DType } from '../types/dtype.ts';

/** An engine's name, and what it runs. */
export interface DTypes {
  readonly engine: string;
  readonly dtypes: readonly DType[];
}

/** Throws an `UnsupportedOnEngineError` where a newer core has a dtype that the engine does not know. */
export function requireDType({ engine, dtypes }: DTypes, dtype: DType): void {
  if (dtypes.includes(dtype)) return;
  throw new TfError('UnsupportedOnEngineError', `${engine}: ${String(dtype)} is not supported; it runs ${dtypes.join(', ')}. Convert the operands or use another engine.`, { engine, dtype });
}

/** For steps that add and multiply: booleans have no sums. */
export function requireNumeric(runs: DTypes, dtype: DType, op: string): Exclude<DType, 'bool'> {
  requireDType(runs, dtype);
  if (dtype !== 'bool') return dtype;
  throw new TfError('UnsupportedOnEngineError', `${runs.engine}: ${op} of ${dtype} is not supported; convert the operands to int32 or a float dtype.`, { engine: runs.engine, op, dtype });
}
