/**
 * What the laws must reject: for every law something that breaks it, beside its corrected twin. Run them wherever the laws
 * are relied on: a kit that accepts one of these proves nothing.
 */
import { alternativeTwins } from './twins/alternative-twins.ts';
import { engineTwins } from './twins/engine-twins.ts';
import { extensionTwins } from './twins/extension-twins.ts';
import { kernelTwins } from './twins/kernel-twins.ts';
import { programTwins } from './twins/program-twins.ts';
import type { Twin } from './twins/twin.ts';

export { judgeTwin, type Twin, twinSuite, type Verdict } from './twins/twin.ts';

/** All twins, of extensions, engines, passes, transforms, caches and parsers. */
export const twins: readonly Twin[] = [...extensionTwins, ...alternativeTwins, ...engineTwins, ...kernelTwins, ...programTwins];
