import { add, contractVersion, AdContext, createCatalog, type Extension, type HostCall, type HostModule, type Operand, type Operation, type TensorType, type Var } from '@tf/core';
import { casesLaw } from '../laws/engine/cases.ts';
import { brokenLaws } from '../laws/law.ts';
import { createReferenceEngine } from '../reference-engine/engine.ts';
import { subjectsOf } from '../suites/extension-suite.ts';
import { hostValue } from '../values.ts';
import type { ReferenceOperation } from '../interpreter/interpret.ts';
import type { Twin } from './twin.ts';

const family = 'twins.kernel.v1';
const [symbol, single] = [`${family}.double.float64`, `${family}.double.float32`] as const;

/** x + x, with a lowering or without. */
function familyOf(isLowered: boolean): Extension & { readonly operations: readonly [Operation] } {
  const operation: Operation = {
    id: `${family}.double`, family, name: 'double', package: '@twins/kernel',
    infer: ([x]) => [x as TensorType],
    traits: { call: (_params, [x]) => ({ symbol: x?.dtype === 'float32' ? single : symbol, integers: [] }) },
    ...(isLowered ? { lower: ([x]) => [add(x as Operand, x as Operand) as unknown as Var] } : {}),
  };
  const rules: Extension['rules'] = { double: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose: (ctx, [ct]) => [ct && ctx.apply(ctx.operation, [ct], ctx.params)[0]] } };
  return { contract: contractVersion, family, package: '@twins/kernel', version: '1.0.0', operations: [operation], rules };
}

const reference: Readonly<Record<string, ReferenceOperation>> = {
  [`${family}.double`]: ({ inputs: [x], types }) => [hostValue((types[0] as TensorType).dtype, [3], Array.from((x as NonNullable<typeof x>).data as Float64Array, (value) => 2 * value))],
};

type Run = (call: HostCall) => void;

const doubled: Run = ({ inputs: [x], outputs: [y] }) => {
  for (let at = 0; at < (y as Float64Array).length; at++) (y as Float64Array)[at] = 2 * ((x as Float64Array)[at] as number);
};

/** Adds what it was given in the calls before. */
function remembering(): Run {
  let before = 0;
  return (call) => {
    doubled(call);
    const y = call.outputs[0] as Float64Array;
    for (let at = 0; at < y.length; at++) y[at] = (y[at] as number) + before;
    before += y[0] as number;
  };
}

function judge(run: Run, { isLowered = true, symbols = [symbol, single] }: { readonly isLowered?: boolean; readonly symbols?: readonly string[] } = {}): ReturnType<Twin['wrong']> {
  const extension = familyOf(isLowered);
  const module: HostModule = { contract: contractVersion, family, package: '@twins/kernel', version: '1.0.0', engine: 'host', kernels: Object.fromEntries(symbols.map((name) => [name, { run }])) };
  const cases = subjectsOf({ cases: [{ name: 'double', operation: extension.operations[0], inputs: [hostValue('float64', [3], [0.5, -1.25, 2])] }], context: new AdContext({ catalog: createCatalog([extension]) }), operations: isLowered ? undefined : reference });
  return brokenLaws([casesLaw], { name: 'twin', cases, create: ({ modules }) => createReferenceEngine({ modules: [...modules, module] }) });
}

function twin(name: string, wrong: Run, options?: Parameters<typeof judge>[1]): Twin {
  return { name, law: 'cases', wrong: () => judge(wrong, options), right: () => judge(doubled, options) };
}

export const kernelTwins: readonly Twin[] = [
  twin('a kernel that computes something else than the lowering', ({ inputs: [x], outputs: [y] }) => void (y as Float64Array).set(x as Float64Array)),
  twin('a kernel that does nothing', () => undefined),
  twin('a kernel that throws', () => {
    throw new Error('no');
  }),
  twin('a kernel that keeps something between calls', remembering()),
  twin('a wrong kernel of an operation without a lowering', ({ inputs: [x], outputs: [y] }) => void (y as Float64Array).set(x as Float64Array), { isLowered: false }),
  { name: 'a kernel under a symbol that no operation names', law: 'cases', wrong: () => judge(doubled, { symbols: [symbol, single, `${family}.duoble.float64`] }), right: () => judge(doubled) },
];
