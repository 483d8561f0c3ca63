/** Programs as StableHLO text, for XLA. */
export { type ExportedConstant, type ExportedValue, type ExportOptions, exportStableHlo, type StableHloModule } from './export.ts';
export type { NativeRole, Platform, RefusedRole, StableHloFamily, StableHloRole, StableHloSite } from './family.ts';
export { stableHloSupport, type StableHloSupport } from './support.ts';
export type { Element as StableHloElement, Value as StableHloValue, ValueType as StableHloType } from './text.ts';
export type { CustomCallOptions, StableHloWriter } from './writer.ts';
