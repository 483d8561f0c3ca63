import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from '@tf/test-browser/chromium';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShownExample } from '../src/gallery/shown.ts';
import { type ServedSite, serveFolder } from '../src/site/serve.ts';
import { built, requireBuilt } from './built.ts';
import { faultsOf, launch } from './visit.ts';

requireBuilt();
const examples = JSON.parse(readFileSync(`${built}made/gallery/gallery.json`, 'utf8')) as readonly ShownExample[];

describe.skipIf(chromium === undefined)(chromium === undefined ? 'chromium is absent: the gallery was not tried' : 'the gallery', () => {
  let browser: Browser;
  let site: ServedSite;

  beforeAll(async () => {
    site = await serveFolder(built);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  test.each(examples.map(({ name, pictures }) => [name, pictures.length] as const))('%s shows its pictures, and draws them anew when it is run', async (name, count) => {
    const page = await browser.newPage();
    const faults = faultsOf(page, site.origin);
    await page.goto(`${site.origin}/gallery/${name}.html`);
    const made = page.locator('.vp-doc img[src*="/made/gallery/"]');
    expect(await made.count()).toBe(count);
    for (const image of await made.all()) expect(await image.evaluate(async (img: HTMLImageElement) => { await img.decode(); return img.naturalWidth; })).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Run the small size' }).click();
    await page.locator('.tf-gallery-run .tf-status', { hasText: /^Done/ }).waitFor();
    expect(await page.locator('.tf-gallery-run .tf-plot :is(svg, canvas)').count()).toBe(count);
    expect(await page.locator('.tf-gallery-run tbody tr').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Run in full' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.tf-gallery-run .tf-status', { hasText: 'Stopped' }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });
});
