/** The best engine that runs here. */
export { type Choice, createEngine, type EngineChoiceOptions, type EnginePackage, type Refusal } from './choose.ts';
