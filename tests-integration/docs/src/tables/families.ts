/** The families beside core: what engines need to run them, and a use of each of their operations. */
import { AdContext, createCatalog, type Extension, type HostModule, type Operand, type Program, tensorType, type Var } from '@tf/core';
import { einsum, einsumExtension } from '@tf/einsum';
import type { WasmModule } from '@tf/engine-cpu-wasm';
import { fft, fftExtension, irfft, rfft } from '@tf/fft';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import { linalgExtension } from '@tf/linalg';
import { linalgHost } from '@tf/linalg/host';
import { programOf, vjpProgram } from '@tf/testkit';
import { linalgUses } from './linalg.ts';

export const familyExtensions: readonly Extension[] = [einsumExtension, fftExtension, linalgExtension];

export const familyModules: { readonly host: readonly HostModule[]; readonly wasm: readonly (HostModule | WasmModule)[] } = { host: [fftHost(), linalgHost()], wasm: [fftWasm(), linalgHost()] };

/** Programs in which every operation of these families occurs. */
export function familyUses(): readonly Program[] {
  const square = tensorType('float64', [3, 3]);
  const [matrix, line, spectrum] = [tensorType('float64', [2, 3]), tensorType('float64', [4]), tensorType('complex128', [3])];
  const of = (f: (...operands: readonly Operand[]) => Operand, ...types: Parameters<typeof programOf>[1]): Program => programOf((...vars) => f(...(vars as readonly Operand[])) as Var, types);
  const trace = of((x) => einsum('ii->i', x as Operand), square);
  return [
    of((x, y) => einsum('ij,kj->ik', x as Operand, y as Operand), matrix, matrix),
    trace,
    vjpProgram(new AdContext({ catalog: createCatalog(familyExtensions) }), trace, [0]),
    of((x) => fft(x as Operand), tensorType('complex128', [4])),
    of((x) => rfft(x as Operand), line),
    of((x) => irfft(x as Operand), spectrum),
    ...linalgUses(),
  ];
}
