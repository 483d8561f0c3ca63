import { AdContext, createCatalog } from '@tf/core';
import { einsumExtension } from '@tf/einsum';
import { fftExtension } from '@tf/fft';
import { linalgExtension } from '@tf/linalg';

/** The rules of every family that the cases use. */
export function oracleContext(): AdContext {
  return new AdContext({ catalog: createCatalog([einsumExtension, fftExtension, linalgExtension]) });
}
