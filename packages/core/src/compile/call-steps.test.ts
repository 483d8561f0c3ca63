import { describe, expect, it } from 'vitest';
import type { Atom, CallStep, HostModule, Operation, Plan, Step, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { scan } from '../primitives/control/scan.ts';
import { dynamicTruncate, padToMatch } from '../primitives/dynamic.ts';
import { size } from '../primitives/size.ts';
import { transpose } from '../primitives/movement.ts';
import { slice } from '../primitives/slicing.ts';
import { Builder } from '../program/builder.ts';
import { applyOperation } from '../program/dispatch.ts';
import { type Dim, dimText, mulDims, symbolicDim } from '../types/dim.ts';
import type { Operand } from '../types/operand.ts';
import { elementCount, type Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { allSteps } from './inner-steps.ts';
import { kernelError, registerModules, requireKernel } from './modules.ts';

const family = 'acme.signal.v1';

/** Two outputs of the type of the input. */
const pair: Operation = {
  id: `${family}.pair`, family, name: 'pair', package: '@acme/signal',
  infer: ([x]) => [x!, x!],
  traits: { call: (_params, [x]) => ({ symbol: `${family}.pair.${x!.dtype}`, integers: x!.shape, workspace: mulDims(elementCount(x!.shape), 8) }) },
};
const kernels: ReadonlySet<string> = new Set([`${family}.pair.float64`]);

const paired = (x: Operand): readonly [Operand, Operand] => applyOperation(pair, [x], {}) as unknown as readonly [Operand, Operand];

function planOf(shapes: readonly Shape[], f: (...inputs: readonly Var[]) => readonly unknown[]): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(...shapes.map((shape) => builder.input(tensorType('float64', shape)))) as readonly Atom[]), { check: true, kernels });
}

const callsOf = (steps: readonly Step[]): readonly CallStep[] => allSteps(steps).flatMap((step) => (step.kind === 'call' ? [step] : []));

describe('call steps', () => {
  it('take what is contiguous where it lies and write straight into the outputs', () => {
    const plan = planOf([[4, 3]], (x) => paired(x as Operand));
    expect(plan.steps).toEqual([{
      kind: 'call', symbol: `${family}.pair.float64`, integers: [4, 3],
      inputs: [{ buffer: 0, offset: 0, dtype: 'float64', elements: 12 }],
      outputs: [1, 2].map((buffer) => ({ buffer, offset: 0, dtype: 'float64', elements: 12 })),
      workspace: { buffer: 3, offset: 0, dtype: 'bool', elements: 96 },
    }]);
    expect(plan.buffers.map(({ place }) => place.kind)).toEqual(['input', 'output', 'output', 'arena']);
  });

  it('take a copy of what lies otherwise: transposed, cut out of rows', () => {
    for (const f of [(x: Operand) => transpose(x), (x: Operand) => slice(x, [0, 1], [4, 3])]) {
      const plan = planOf([[4, 3]], (x) => paired(f(x as Operand) as Operand));
      expect(plan.steps.map(({ kind }) => kind)).toEqual(['loop', 'call']);
    }
    const rows = planOf([[4, 3]], (x) => paired(slice(x as Operand, [1, 0], [4, 3]) as Operand));
    expect(callsOf(rows.steps)[0]!.inputs[0]).toMatchObject({ buffer: 0, offset: 3, elements: 9 });
    expect(rows.steps).toHaveLength(1);
  });

  it('never give an output the memory of what the same call reads or works with', () => {
    const plan = planOf([[8]], (x) => {
      let y = add(x as Operand, 1) as Operand;
      for (let time = 0; time < 5; time++) {
        const [a, b] = paired(y);
        y = mul(a, b) as Operand;
      }
      return [y];
    });
    const places = callsOf(plan.steps).map(({ inputs, outputs, workspace }) => [...inputs, ...outputs, workspace!].map(({ buffer }) => JSON.stringify(plan.buffers[buffer]!.place)));
    expect(places).toHaveLength(5);
    for (const own of places) expect(new Set(own).size).toBe(4);
    expect(plan.slots.length).toBeLessThan(8);
  });

  it('know sizes by symbols, also by one that the run decides', () => {
    const n = symbolicDim('n');
    const plan = planOf([[n, 3]], (x) => {
      const rows = dynamicTruncate(x as Operand, size(x as Operand) as never, 0) as Operand;
      return [padToMatch(paired(rows)[0], x as Operand)];
    });
    const at = plan.steps.findIndex(({ kind }) => kind === 'extent');
    const [call] = callsOf(plan.steps);
    expect(plan.steps.indexOf(call!)).toBeGreaterThan(at);
    const symbol = (plan.steps[at] as Extract<Step, { kind: 'extent' }>).symbol;
    expect(call!.integers.map(dimText)).toEqual([symbol, '3']);
    expect(plan.slots.flat().every((bytes: Dim) => !dimText(bytes).includes(symbol))).toBe(true);
  });

  it('stand in the bodies of loops, at the slices of each iteration', () => {
    const plan = planOf([[3], [5, 3]], (c, xs) => scan((s: Operand, x: Operand) => [add(s, x) as Operand, paired(x)[1]] as const, c as Operand, xs as Operand) as unknown as readonly Var[]);
    const [call] = callsOf(plan.steps);
    expect(plan.steps.some(({ kind }) => kind === 'call')).toBe(false);
    expect(dimText(call!.inputs[0]!.offset)).toMatch(/^3\*?.*#0|#0.*3/);
    expect(dimText(call!.outputs[1]!.offset)).toBe(dimText(call!.inputs[0]!.offset));
    expect(call!.outputs[1]!.buffer).not.toBe(call!.inputs[0]!.buffer);
  });

  it('hand integers over and nothing else', () => {
    const half: Operation = { ...pair, traits: { call: () => ({ symbol: `${family}.pair.float64`, integers: [0.5] }) } };
    expect(() => planOf([[3]], (x) => applyOperation(half, [x as Operand], {}))).toThrow(expect.objectContaining({ name: 'ExtensionError', message: expect.stringContaining('0.5, which is no integer') as unknown }));
  });

  it('are refused where the engine has no such kernel, naming the package', () => {
    const builder = new Builder();
    const program = builder.build(paired(builder.input(tensorType('float32', [3])) as Operand) as unknown as readonly Atom[]);
    expect(() => compileProgram(program, { kernels })).toThrow(expect.objectContaining({ name: 'UnregisteredFamilyError', fields: expect.objectContaining({ family, role: 'module', package: '@acme/signal' }) }));
  });
});

const host = (kernel: unknown, changes: Partial<HostModule> & { readonly engine?: string } = {}): HostModule => ({ contract: 1, family, package: '@acme/signal', version: '1.2.3', engine: 'host', kernels: { [`${family}.pair`]: kernel as never }, ...changes }) as HostModule;
const kernel = { run: () => undefined };

describe('registerModules', () => {
  it('prefers a kernel for the engine itself, in either order', () => {
    const own = host({ export: 'pair' }, { engine: 'cpu-wasm' as 'host', version: '2.0.0' });
    for (const modules of [[host(kernel), own], [own, host(kernel)]]) {
      expect(registerModules('cpu-wasm', modules, () => true).get(`${family}.pair`)?.module).toBe(own);
    }
  });

  it.each<readonly [string, readonly unknown[] | unknown, string, RegExp]>([
    ['no list', 5, 'ArgumentError', /modules is number 5; it takes a list/],
    ['a function', [() => kernel], 'ArgumentError', /modules\[0\] is a function.*Call it/],
    ['a version of the family that is none', [{ ...host(kernel), familyVersion: 2 }], 'ArgumentError', /modules\[0\] is an Object; it takes an execution module/],
    ['no module', [{ family }], 'ArgumentError', /modules\[0\] is an Object; it takes an execution module/],
    ['another contract', [host(kernel, { contract: 2 as 1 })], 'ExtensionError', /@acme\/signal@1\.2\.3: speaks contract 2, this is @tf\/core .* with contract 1/],
    ['another engine', [host(kernel, { engine: 'cuda-native' as 'host' })], 'ExtensionError', /@acme\/signal@1\.2\.3: its kernels are for the engine cuda-native, this is cpu-wasm/],
    ['two of one symbol', [host(kernel), host(kernel, { package: '@other/signal', version: '0.1.0' })], 'ExtensionError', /@other\/signal@0\.1\.0: the kernel acme\.signal\.v1\.pair is already supplied by @acme\/signal@1\.2\.3/],
    ['a symbol of another family', [host(kernel, { family: 'acme.other.v1' })], 'ExtensionError', /does not belong to the family acme\.other\.v1/],
    ['a family without owner', [host(kernel, { family: 'Signal', kernels: {} })], 'ExtensionError', /must begin with its owner's prefix|is already/],
    ['a kernel that is none', [host({ run: 5 })], 'ExtensionError', /has under acme\.signal\.v1\.pair is no kernel for host/],
    ['a kernel with an error that is none', [host({ run: () => 0, failureError: 'ShapeError' })], 'ExtensionError', /has under acme\.signal\.v1\.pair is no kernel for host/],
    ['a kernel of another form', [host({ export: 'pair' })], 'ExtensionError', /is no kernel for host/],
  ])('refuses %s', (_what, modules, name, message) => {
    const refusal = expect.objectContaining({ name, message: expect.stringMatching(message) });
    expect(() => registerModules('cpu-wasm', modules as readonly HostModule[])).toThrow(refusal);
  });

  it('has the words for an element without a result, and for a kernel that is not there', () => {
    const failed = kernelError({ symbol: `${family}.pair`, kernel: { run: () => 2, failure: 'the signal is silent' } }, 2);
    expect(failed).toMatchObject({ name: 'KernelError', fields: { op: `${family}.pair`, batchIndex: 2 } });
    expect(failed.message).toContain('element 2 of the batch: the signal is silent');
    expect(kernelError({ symbol: `${family}.pair`, kernel: { run: () => 2, failureError: 'LinalgError' } }, 2)).toMatchObject({ name: 'LinalgError', code: 'TF_LINALG', fields: { batchIndex: 2 } });
    const refusal = expect.objectContaining({ name: 'UnsupportedOnEngineError', fields: expect.objectContaining({ op: `${family}.pair` }) });
    expect(() => requireKernel('cpu-wasm', new Map(), { symbol: `${family}.pair` })).toThrow(refusal);
  });
});

describe('the version of an operation and that of the kernel', () => {
  const symbol = `${family}.pair`;
  const ask = (module: Partial<HostModule>, step: Partial<CallStep>): unknown => requireKernel('cpu-wasm', registerModules('cpu-wasm', [host(kernel, module)]), { symbol, package: '@acme/signal', ...step }).kernel;

  it('stand in the plan, where the operation has one', () => {
    const versioned: Operation = { ...pair, version: '1.2.3' };
    const plan = planOf([[3]], (x) => applyOperation(versioned, [x as Operand], {}));
    expect(callsOf(plan.steps)[0]).toMatchObject({ package: '@acme/signal', version: '1.2.3' });
    expect(callsOf(planOf([[3]], (x) => paired(x as Operand)).steps)[0]).not.toHaveProperty('version');
  });

  it('must be one, and both are named where they are not', () => {
    expect(ask({}, { version: '1.2.3' })).toBe(kernel);
    const thrown = (module: Partial<HostModule>, version: string, message: string): void => expect(() => ask(module, { version })).toThrow(expect.objectContaining({ name: 'ExtensionError', message, fields: expect.objectContaining({ op: symbol, family }) }));
    thrown({}, '2.0.0', 'cpu-wasm: the kernel acme.signal.v1.pair of @acme/signal@1.2.3 is made for @acme/signal 1.2.3, and the operation is of @acme/signal 2.0.0. Have one version installed: npm ls @acme/signal shows where they come from.');
    const other = { package: '@other/kernels', version: '7.0.0', familyVersion: '1.2.3' };
    expect(ask(other, { version: '1.2.3' })).toBe(kernel);
    thrown(other, '2.0.0', 'cpu-wasm: the kernel acme.signal.v1.pair of @other/kernels@7.0.0 is made for @acme/signal 1.2.3, and the operation is of @acme/signal 2.0.0. Install a version of @other/kernels that is made for @acme/signal 2.0.0.');
  });

  it('are not compared where the operation has none, or a module of another package names none', () => {
    expect(ask({}, {})).toBe(kernel);
    expect(ask({ package: '@other/kernels', version: '7.0.0' }, { version: '2.0.0' })).toBe(kernel);
  });
});
