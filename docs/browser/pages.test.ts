import type { Browser } from 'playwright-core';
import { chromium, isRequired } from '@tf/test-browser/chromium';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagesOf } from '../src/site/links.ts';
import { type ServedSite, serveFolder } from '../src/site/serve.ts';
import { built, requireBuilt } from './built.ts';
import { faultsOf, launch } from './visit.ts';

test('Chromium is here where it is required', () => {
  if (chromium === undefined) console.log(`chromium: absent, ${isRequired ? 'required' : 'not required'}. Install Debian's package chromium, or name the program in TF_CHROMIUM.`);
  expect(chromium !== undefined || !isRequired).toBe(true);
});

describe.skipIf(chromium === undefined)(chromium === undefined ? 'chromium is absent: pages were not opened' : 'in Chromium', () => {
  let browser: Browser;
  let site: ServedSite;

  beforeAll(async () => {
    requireBuilt();
    site = await serveFolder(built);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  test('every page loads without an error, from its own site alone, no wider than a small screen', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const faults = faultsOf(page, site.origin);
    const wide: string[] = [];
    for (const path of pagesOf(built).filter((name) => name !== '404.html')) {
      await page.goto(`${site.origin}/${path}`);
      await page.locator('#app').waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 390) wide.push(`${path}: ${width}`);
    }
    expect(faults).toEqual([]);
    expect(wide).toEqual([]);
  }, 600_000);

  test('text of diagrams is at least 10 pixels high on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 375, height: 700 } });
    const small: string[] = [];
    const seen: string[] = [];
    for (const path of pagesOf(built).filter((name) => /^(?:gallery\/|derivatives|benchmarks)/.test(name))) {
      await page.goto(`${site.origin}/${path}`);
      for (const image of await page.locator('.vp-doc img[src*="/made/"][src$=".svg"]').all()) {
        const { source, scale } = await image.evaluate(async (img: HTMLImageElement) => {
          await img.decode();
          return { source: new URL(img.currentSrc).pathname, scale: (img.clientWidth - 12) / img.naturalWidth };
        });
        // The size that the whole drawing begins with holds nowhere: its style has another one.
        const text = (await (await fetch(`${site.origin}${source}`)).text()).replace(/(<svg[^>]*) font-size="\d+"/, '$1');
        const least = Math.min(...[...text.matchAll(/font-size[=:]\s*"?([\d.]+)/g)].map(([, size]) => Number(size)).filter((size) => size > 0));
        seen.push(source);
        if (least * scale < 9.95) small.push(`${path}: ${source}: ${(least * scale).toFixed(1)}`);
      }
    }
    expect(seen.length).toBeGreaterThan(10);
    expect(small).toEqual([]);
  }, 600_000);

  test('the search finds a page', async () => {
    const page = await browser.newPage();
    await page.goto(`${site.origin}/index.html`);
    await page.keyboard.press('Control+k');
    await page.locator('.VPLocalSearchBox input').fill('five minutes');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/start.html*');
  });
});
