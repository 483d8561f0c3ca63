/**
 * Fourier transforms. All are made of three operations along one axis: of complex lines (`dft`), of real lines to half their
 * spectra (`rdft`), and back (`hdft`). Lengths, norms and further axes are core operations around them.
 */
export { fftExtension } from './extension.ts';
export { fftFamily } from './family.ts';
export { fft, ifft } from './fft.ts';
export { fft2, fftn, ifft2, ifftn, irfft2, irfftn, rfft2, rfftn } from './fftn.ts';
export { hfft, ihfft, irfft, rfft } from './rfft.ts';
export { fftshift, ifftshift, type ShiftOptions } from './shift.ts';
export { fftfreq, type FrequencyOptions, rfftfreq } from './frequencies.ts';
export { type ConvolutionMode, type ConvolveOptions, fftConvolve, fftCorrelate } from './convolve.ts';
export { istft, type IstftOptions, stft, type StftOptions } from './stft.ts';
export { bartlett, blackman, blackmanHarris, hamming, hann, type WindowOptions } from './windows.ts';
export type { FftnOptions, FftOptions, Norm } from './options.ts';
