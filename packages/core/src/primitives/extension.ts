import { buildCatalog } from '../catalog.ts';
import type { Catalog, Extension, Rule } from '../contract.ts';
import { contractVersion, coreVersion } from '../types/version.ts';
import { addPrimitive, arithmeticPrimitives } from './arithmetic.ts';
import { bitPrimitives } from './bits.ts';
import { clampPrimitives } from './clamp.ts';
import { classificationPrimitives } from './classification.ts';
import { comparePrimitives } from './compare.ts';
import { contractionPrimitives } from './contraction.ts';
import { constrainPrimitive } from './constrain.ts';
import { convertPrimitive } from './convert.ts';
import { coreFamily, type Primitive } from './define.ts';
import { cumulativePrimitives } from './cumulative.ts';
import { divisionPrimitives } from './division.ts';
import { complexPartsPrimitives } from './complex-parts.ts';
import { extremaPrimitives } from './extrema.ts';
import { magnitudePrimitives } from './magnitude.ts';
import { functionPrimitives } from './functions.ts';
import { erfinvPrimitive } from './erfinv.ts';
import { gammaPrimitives } from './gamma.ts';
import { hyperbolicPrimitives } from './hyperbolic.ts';
import { logarithmPrimitives } from './logarithms.ts';
import { remainderPrimitives } from './remainders.ts';
import { rootPrimitives } from './roots.ts';
import { trigonometricPrimitives } from './trigonometric.ts';
import { indexingPrimitives } from './indexing.ts';
import { logicPrimitives } from './logic.ts';
import { flipPrimitive } from './flip.ts';
import { iotaPrimitive } from './iota.ts';
import { broadcastToPrimitive, identityPrimitive, movementPrimitives, reshapePrimitive } from './movement.ts';
import { euclideanNormPrimitive } from './euclidean-norm.ts';
import { reducePrimitives, sumPrimitive } from './reduce.ts';
import { branchPrimitive } from './control/branch-primitive.ts';
import { checkpointPrimitive } from './control/call-primitive.ts';
import { customJvpPrimitive, customVjpPrimitive, customVjpTangentPrimitive } from './control/custom-primitive.ts';
import { scanPrimitive } from './control/scan-primitive.ts';
import { whilePrimitive } from './control/while-primitive.ts';
import { conjPrimitive } from './conjugate.ts';
import { multiplyOrZeroPrimitive } from './multiply-or-zero.ts';
import { powPrimitive } from './power.ts';
import { prodPrimitive } from './product.ts';
import { roundingPrimitives } from './rounding.ts';
import { selectPrimitive } from './select.ts';
import { extentPrimitive } from './dynamic.ts';
import { sizePrimitive } from './size.ts';
import { scatterPrimitives } from './scatter.ts';
import { sortPrimitive } from './sort.ts';
import { slicingPrimitives } from './slicing.ts';
import { wrongArgument } from '../types/argument.ts';
import { specialPrimitives } from './special.ts';
import { threefryPrimitive } from './threefry.ts';
import { unitFloatPrimitive } from './unit-float.ts';
import { barrierPrimitive, stopGradientPrimitive } from './stop-gradient.ts';

const primitives: readonly Primitive[] = [
  ...arithmeticPrimitives, ...functionPrimitives, ...specialPrimitives, powPrimitive, stopGradientPrimitive, barrierPrimitive, ...divisionPrimitives, multiplyOrZeroPrimitive, conjPrimitive, ...comparePrimitives, selectPrimitive, ...extremaPrimitives, ...magnitudePrimitives, ...complexPartsPrimitives, convertPrimitive,
  ...roundingPrimitives, ...classificationPrimitives, ...logicPrimitives, ...bitPrimitives, ...clampPrimitives,
  ...trigonometricPrimitives, ...hyperbolicPrimitives, ...logarithmPrimitives, ...rootPrimitives, ...remainderPrimitives, ...gammaPrimitives, erfinvPrimitive,
  ...movementPrimitives, constrainPrimitive, sizePrimitive, extentPrimitive, ...slicingPrimitives, ...indexingPrimitives, ...reducePrimitives, euclideanNormPrimitive, prodPrimitive, ...contractionPrimitives,
  scanPrimitive, whilePrimitive, branchPrimitive, checkpointPrimitive, customVjpPrimitive, customVjpTangentPrimitive, customJvpPrimitive,
  flipPrimitive, iotaPrimitive, ...cumulativePrimitives, sortPrimitive, ...scatterPrimitives,
  threefryPrimitive, unitFloatPrimitive,
];

/** The operations that ship with core, as an extension like any other. */
export const coreExtension: Extension = Object.freeze({
  contract: contractVersion,
  family: coreFamily,
  package: '@tf/core',
  version: coreVersion,
  operations: Object.freeze(primitives.map((primitive) => primitive.operation)),
  rules: Object.freeze(Object.fromEntries(primitives.map((primitive): [string, Rule] => [primitive.operation.name, primitive.rule]))),
  basis: Object.freeze({
    add: addPrimitive.operation,
    sum: sumPrimitive.operation,
    reshape: reshapePrimitive.operation,
    broadcastTo: broadcastToPrimitive.operation,
    identity: identityPrimitive.operation,
    scan: scanPrimitive.operation,
  }),
});

/**
 * The core operations and those of `extensions`, frozen.
 *
 * @throws ExtensionError for a malformed, duplicate or incompatible extension.
 * @example
 * import { createCatalog } from '@tf/core';
 * if (createCatalog().operation('tf.core.exp') === undefined) throw new Error('unexpected');
 */
export function createCatalog(extensions: readonly Extension[] = []): Catalog {
  if (!Array.isArray(extensions)) throw wrongArgument('createCatalog', 'extensions', extensions, 'a list of extensions', 'Write createCatalog([extension]).');
  return buildCatalog([coreExtension, ...extensions]);
}
