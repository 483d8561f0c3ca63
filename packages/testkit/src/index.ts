/**
 * The conformance kit: what decides whether an extension, an engine, a pass or a transform is right. An interpreter and an
 * engine that are plain enough to be believed, the laws of the contract as checks, suites that register them with any test
 * runner, and (`@tf/testkit/twins`) what each law must reject.
 */
export { type CheckGradsOptions, checkGrads, type GradCheck } from './check-grads.ts';
export { interpretProgram, type Interpreted, type InterpretOptions, type ReferenceCall, type ReferenceOperation } from './interpreter/interpret.ts';
export type { Arithmetic } from './interpreter/scalars.ts';
export { cacheLaw, type CacheSubject } from './laws/cache.ts';
export { engineLaws } from './laws/engine/engine-laws.ts';
export type { EngineLaw, EngineOptions, EngineSubject } from './laws/engine/subject.ts';
export { extensionLaws } from './laws/extension-laws.ts';
export { freshNodesLaw, type ScalarFunction, type TransformSubject } from './laws/fresh-nodes.ts';
export type { ExtensionFront } from './laws/fronts.ts';
export { applyLaw, brokenLaws, type Finding, type Law, LawError } from './laws/law.ts';
export { barriersLaw } from './laws/barriers.ts';
export { passesLaw, type PassSubject } from './laws/passes.ts';
export { type PrintSubject, roundTripLaw } from './laws/round-trip.ts';
export { createSubject, type ExtensionLaw, type ExtensionSubject, type SubjectOptions } from './laws/subject.ts';
export { jvpProgram, programOf, type VarFunction, vjpProgram } from './programs.ts';
export { createRandom, randomDirection, randomValues } from './random.ts';
export { createReferenceEngine, type ReferenceEngineOptions } from './reference-engine/engine.ts';
export { createCoreCases } from './suites/core-cases.ts';
export { engineSuite, type EngineSuiteOptions } from './suites/engine-suite.ts';
export { brokenExtensionLaws, type ExtensionCase, extensionSuite, type ExtensionSuiteOptions } from './suites/extension-suite.ts';
export { type Presence, reportPresence, type SkippingRunner } from './suites/presence.ts';
export type { TestRunner } from './suites/runner.ts';
export { extentsOf, firstDifference, type HostValue, hostValue, innerProduct, sameBits } from './values.ts';
