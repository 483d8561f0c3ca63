import { describe, expect, it } from 'vitest';
import type { Extension, Operation } from '../contract.ts';
import { buildCatalog } from '../catalog.ts';
import { coreExtension } from '../primitives/extension.ts';
import { tensorType } from '../types/tensor-type.ts';
import { AdContext } from './context.ts';

const family = 'acme.signal.v1';
const f64 = tensorType('float64', [3]);
const named = (name: string): Operation => coreExtension.operations.find((operation) => operation.name === name) as Operation;
const infer: Operation['infer'] = ([x]) => [x ?? f64];
const operations: readonly Operation[] = [
  { id: `${family}.opaque`, family, name: 'opaque', infer, traits: {} },
  { id: `${family}.half`, family, name: 'half', infer, traits: {}, lower: ([x]) => [x as never] },
];
const extension: Extension = {
  contract: 1, family, package: '@acme/signal', version: '1.0.0', operations,
  rules: {
    opaque: { kind: 'none', reason: 'its author has not written one', batch: { kind: 'none', reason: 'it draws from one stream' } },
    half: { kind: 'rule', linear: { inputs: [0], how: 'each' }, transpose: (_ctx, [ct]) => [ct], caveats: ['it is a convention at 0'] },
  },
};
const context = new AdContext({ catalog: buildCatalog([coreExtension, extension]) });

describe('support', () => {
  it('says by which route an operation is differentiated, batched and executed', () => {
    const { catalog } = context;
    expect(catalog.support(named('exp'))).toMatchObject({ differentiable: true, forward: 'linearize', reverse: 'transpose of linearize', batch: 'traits', execution: ['traits'], caveats: [], augmented: false });
    expect(catalog.support(named('mul'))).toMatchObject({ forward: 'linear', reverse: 'transpose' });
    expect(catalog.support(named('scan'))).toMatchObject({ forward: 'linearize', reverse: 'transpose', batch: 'rule', augmented: true });
    expect(catalog.support(named('while')).caveats).toEqual(['without maxSteps it has no reverse derivative']);
    expect(catalog.support(operations[1] as Operation)).toMatchObject({ forward: 'linear', reverse: 'transpose', batch: 'loop', execution: ['lower'], caveats: ['it is a convention at 0', 'over a batch it runs for one element after the other'] });
  });

  it('gives the author’s reasons', () => {
    expect(context.catalog.support(operations[0] as Operation)).toMatchObject({ differentiable: false, forward: 'none', reverse: 'none', reason: 'its author has not written one', batch: 'none', batchReason: 'it draws from one stream', execution: [] });
    expect(context.support(operations[0] as Operation, [f64]).inputs).toEqual([{ differentiable: false, reason: 'its author has not written one' }]);
  });

  it('says of each input and output whether it takes part', () => {
    const gathered = context.support(named('gather'), [f64, tensorType('int32', [2])], { axis: 0, mode: 'take' });
    expect(gathered.inputs).toEqual([{ differentiable: true }, { differentiable: false, reason: 'int32 values carry no tangent' }]);
    expect(context.support(named('floor'), [f64]).inputs[0]).toMatchObject({ differentiable: false });
    expect(context.support(named('floor'), [f64]).outputs[0]).toEqual({ differentiable: false, reason: 'it moves with no input' });
  });

  it('refuses an operation whose family is not registered', () => {
    const foreign: Operation = { ...(operations[0] as Operation), id: 'other.v1.f', family: 'other.v1', name: 'f', package: '@other/f' };
    expect(() => context.catalog.support(foreign)).toThrow(/other\.v1\.f: no rules \(derivatives, batches\).*@other\/f/);
  });
});
