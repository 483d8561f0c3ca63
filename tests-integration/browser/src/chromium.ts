import { existsSync } from 'node:fs';

/** Where Debian's package and others put it; `TF_CHROMIUM` names another program instead. */
const places: readonly string[] = process.env.TF_CHROMIUM === undefined ? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] : [process.env.TF_CHROMIUM];

export const chromium: string | undefined = places.find((place) => existsSync(place));

/** Whether it may not be absent. */
export const isRequired: boolean = (process.env.TF_REQUIRE ?? '').split(',').some((name) => name.trim() === 'chromium');
