/** Programs as StableHLO text, for XLA. */
export { type ExportedConstant, type ExportedValue, type ExportOptions, exportStableHlo, type StableHloModule } from './export.ts';
