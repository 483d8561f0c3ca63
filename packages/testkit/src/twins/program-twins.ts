import { AdContext, add, type Atom, BoundedCache, Builder, type Catalog, createCatalog, type Derivative, type DerivativeRequest, identityOperation, type Operand, type Operation, parseProgram, type Pass, passes, pow, replayProgram, type Rule, sameProgram, tensorType, valuesOf, type Var } from '@tf/core';
import { interpretProgram } from '../interpreter/interpret.ts';
import { barriersLaw } from '../laws/barriers.ts';
import { cacheLaw, type CacheSubject } from '../laws/cache.ts';
import { freshNodesLaw, type ScalarFunction, type TransformSubject } from '../laws/fresh-nodes.ts';
import { brokenLaws, type LawError } from '../laws/law.ts';
import { passesLaw } from '../laws/passes.ts';
import { roundTripLaw } from '../laws/round-trip.ts';
import { programOf } from '../programs.ts';
import { brokenExtensionLaws } from '../suites/extension-suite.ts';
import { hostValue } from '../values.ts';
import type { Twin } from './twin.ts';

const scalar = tensorType('float64', []);

// ---------------------------------------------------------------- a transform

/** `grad` over a builder's Vars. `own` makes the variable that it differentiates by. */
function transform(own: (builder: Builder, x: Var) => Var): TransformSubject {
  const context = new AdContext({ catalog: createCatalog() });
  const builders = new WeakMap<object, Builder>();
  const builderOf = (x: Operand): Builder => builders.get(x) as Builder;
  const grad = (f: ScalarFunction): ScalarFunction => (x) => {
    const builder = builderOf(x);
    const variable = own(builder, x as unknown as Var);
    builders.set(variable, builder);
    const program = builder.build([f(variable as Operand) as unknown as Var]);
    const values = valuesOf(program);
    const derivative = context.pullback({ program, wrt: [values.indexOf(variable)], live: [true] });
    const env = new Map<Var, Atom>(derivative.program.inputs.map((input, at) => [input, at < derivative.residuals.length ? (values[derivative.residuals[at] as number] as Var) : builder.literal(scalar, Float64Array.of(1))]));
    const [result] = replayProgram<Atom>(derivative.program, env, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
    const held = builder.emit(identityOperation, [result as Atom], {})[0] as Var;
    builders.set(held, builder);
    return held as Operand;
  };
  const evaluate = (f: ScalarFunction, at: number): number => {
    const builder = new Builder();
    const x = builder.input(scalar);
    builders.set(x, builder);
    return Number(interpretProgram(builder.build([f(x as Operand) as unknown as Var]), [hostValue('float64', [], [at])])[0]?.data[0]);
  };
  return { name: 'twin', grad, evaluate };
}

const freshNodesTwin: Twin = {
  name: 'a transform without fresh nodes', law: 'fresh-nodes',
  wrong: () => brokenLaws([freshNodesLaw], transform((_builder, x) => x)),
  right: () => brokenLaws([freshNodesLaw], transform((builder, x) => builder.emit(identityOperation, [x], {})[0] as Var)),
};

// ---------------------------------------------------------------- a cache

function cached(same: (a: DerivativeRequest, b: DerivativeRequest) => boolean): CacheSubject {
  return {
    name: 'twin',
    create: (hash) => {
      const context = new AdContext({ catalog: createCatalog() });
      const cache = new BoundedCache<DerivativeRequest, Derivative>({ hash: ({ program }) => hash(program), same });
      return { catalog: context.catalog, pullback: (request) => cache.getOrCreate(request, () => context.pullback(request)), stats: () => cache.stats() };
    },
  };
}

const cacheTwin: Twin = {
  name: 'a cache that trusts its hash', law: 'cache-equality',
  wrong: () => brokenLaws([cacheLaw], cached(() => true)),
  right: () => brokenLaws([cacheLaw], cached((a, b) => sameProgram(a.program, b.program))),
};

// ---------------------------------------------------------------- a pass

/** Rewrites (a + b) + c. */
function rewriting(name: string, regroup: (builder: Builder, addition: Operation, terms: readonly [Atom, Atom, Atom]) => Atom): Pass {
  return {
    name,
    run: (program) => {
      const builder = new Builder();
      const addition = createCatalog().basis.add;
      const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type)]));
      const sums = new Map<Atom, readonly [Atom, Atom]>();
      const outputs = replayProgram<Atom>(program, env, (atom) => atom, (instruction, inputs) => {
        const parts = instruction.operation === addition ? sums.get(inputs[0] as Atom) : undefined;
        const results = parts === undefined ? builder.replay(instruction, inputs) : [regroup(builder, addition, [...parts, inputs[1] as Atom])];
        if (instruction.operation === addition) sums.set(results[0] as Atom, [inputs[0] as Atom, inputs[1] as Atom]);
        return results;
      });
      return builder.build(outputs);
    },
  };
}

function judgePass(pass: Pass): Promise<readonly LawError[]> {
  const program = programOf((a, b, c) => add(add(a as Operand, b as Operand) as Operand, c as Operand) as unknown as Var, [scalar, scalar, scalar]);
  return brokenLaws([passesLaw], { name: 'twin', passes: [pass], program, inputs: [1e16, -1e16, 1].map((value) => hostValue('float64', [], [value])) });
}

const plus = (builder: Builder, addition: Operation, a: Atom, b: Atom): Atom => builder.emit(addition, [a, b], {})[0] as Atom;

const passTwin: Twin = {
  name: 'a pass that reorders additions', law: 'passes-keep-bits',
  wrong: () => judgePass(rewriting('reassociate', (builder, addition, [a, b, c]) => plus(builder, addition, a, plus(builder, addition, b, c)))),
  right: () => judgePass(rewriting('commute', (builder, addition, [a, b, c]) => plus(builder, addition, c, plus(builder, addition, a, b)))),
};

/** Joins equal instructions; `looksThrough` says which operations are replaced by their input before. */
function joining(looksThrough: (operation: Operation) => boolean): Pass {
  return {
    name: 'join',
    run: (program) => {
      const builder = new Builder();
      const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type)]));
      const outputs = replayProgram<Atom>(program, env, (atom) => atom, (instruction, inputs) => (looksThrough(instruction.operation) ? inputs : builder.replay(instruction, inputs)));
      return passes.reduce((current, pass) => pass.run(current), builder.build(outputs));
    },
  };
}

const barrierTwin: Twin = {
  name: 'a dedupe that looks through barriers', law: 'barriers-hold',
  wrong: () => brokenLaws([barriersLaw], { name: 'twin', passes: [joining(({ traits }) => traits.barrier === true)] }),
  right: () => brokenLaws([barriersLaw], { name: 'twin', passes: [joining(() => false)] }),
};

// ---------------------------------------------------------------- a parser, a catalog, a table of cases

/** Reads what `read` makes of the text of x to the power −0. */
function judgeParser(read: (text: string) => string): Promise<readonly LawError[]> {
  const program = programOf((x) => pow(x as Operand, -0) as unknown as Var, [scalar]);
  return brokenLaws([roundTripLaw], { name: 'twin', program, parse: (text) => parseProgram(read(text), createCatalog()) });
}

const printTwin: Twin = {
  name: 'a parser that loses the sign of zero', law: 'round-trip',
  wrong: () => judgeParser((text) => text.replace('-0:', '0:')),
  right: () => judgeParser((text) => text),
};

/** A family that says: no derivative. */
function discrete(): { readonly catalog: Catalog; readonly operation: Operation; readonly reason: string } {
  const family = 'twins.discrete.v1';
  const reason = 'the number of steps is discrete';
  const operation: Operation = { id: `${family}.step`, family, name: 'step', infer: ([x]) => [x as NonNullable<typeof x>], traits: { identity: true } };
  const catalog = createCatalog([{ contract: 1, family, package: '@twins/discrete', version: '1.0.0', operations: [operation], rules: { step: { kind: 'none', reason } } }]);
  return { catalog, operation, reason };
}

function judgeCatalog(change: (catalog: Catalog) => Catalog): Promise<readonly LawError[]> {
  const { catalog, operation } = discrete();
  const extension = catalog.extensions[1] as Catalog['extensions'][number];
  return brokenExtensionLaws({ extension, context: new AdContext({ catalog: change(catalog) }), cases: [{ name: 'twin', operation, inputs: [hostValue('float64', [2], [1, 2])] }] });
}

const silent: Rule = { kind: 'rule', linearize: () => [undefined] };

const undifferentiableTwin: Twin = {
  name: 'a silent zero where there is no derivative', law: 'undifferentiable',
  wrong: () => judgeCatalog((catalog) => ({ ...catalog, rule: (operation) => (operation.name === 'step' ? silent : catalog.rule(operation)) })),
  right: () => judgeCatalog((catalog) => catalog),
};

export const programTwins: readonly Twin[] = [freshNodesTwin, cacheTwin, passTwin, barrierTwin, printTwin, undifferentiableTwin];
