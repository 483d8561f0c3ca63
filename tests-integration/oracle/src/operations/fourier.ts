import type { Operand } from '@tf/core';
import { fft, fftfreq, fftn, type FftnOptions, type FftOptions, fftshift, hfft, ifft, ifftn, ifftshift, ihfft, irfft, irfftn, type Norm, rfft, rfftfreq, rfftn } from '@tf/fft';
import { type ArgumentReader, type OracleOperation, withArguments } from './operation.ts';

/** `null` and absence mean the default. */
function optional<T>(args: ArgumentReader, name: string): T | undefined {
  return (args.raw(name) ?? undefined) as T | undefined;
}

function given<T extends object>(options: { readonly [N in keyof T]: T[N] | undefined }): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

type AlongOne = (x: Operand, options: FftOptions) => unknown;
type AlongSeveral = (x: Operand, options: FftnOptions) => unknown;

function alongOne(f: AlongOne): OracleOperation {
  return withArguments((x, args) => f(x, given({ n: optional<number>(args, 'n'), axis: optional<number>(args, 'axis'), norm: optional<Norm>(args, 'norm') })));
}

function alongSeveral(f: AlongSeveral): OracleOperation {
  return withArguments((x, args) => f(x, given({ s: optional<readonly number[]>(args, 's'), axes: optional<readonly number[]>(args, 'axes'), norm: optional<Norm>(args, 'norm') })));
}

function frequencies(f: (n: number, d: number) => Operand): OracleOperation {
  return (_inputs, args) => [f(args.number('n'), args.number('d', 1))];
}

export const fourierOperations: readonly (readonly [string, OracleOperation])[] = [
  ['fft', alongOne(fft)],
  ['ifft', alongOne(ifft)],
  ['rfft', alongOne(rfft)],
  ['irfft', alongOne(irfft)],
  ['hfft', alongOne(hfft)],
  ['ihfft', alongOne(ihfft)],
  ['fftn', alongSeveral(fftn)],
  ['ifftn', alongSeveral(ifftn)],
  ['rfftn', alongSeveral(rfftn)],
  ['irfftn', alongSeveral(irfftn)],
  ['fftshift', withArguments((x, args) => fftshift(x, args.axes('axes')))],
  ['ifftshift', withArguments((x, args) => ifftshift(x, args.axes('axes')))],
  ['fftfreq', frequencies(fftfreq)],
  ['rfftfreq', frequencies(rfftfreq)],
];
