import type { Browser, Page } from 'playwright-core';
import { chromium } from '@tf/test-browser/chromium';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toHash } from '../src/playground/share.ts';
import { type ServedSite, serveFolder } from '../src/site/serve.ts';
import { built, requireBuilt } from './built.ts';
import { faultsOf, launch } from './visit.ts';

describe.skipIf(chromium === undefined)(chromium === undefined ? 'chromium is absent: the playground was not tried' : 'the playground', () => {
  let browser: Browser;
  let site: ServedSite;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    requireBuilt();
    site = await serveFolder(built);
    browser = await launch();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    faults = faultsOf(page, site.origin);
    return async () => {
      expect(faults).toEqual([]);
      await page.close();
    };
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  const idle = (): Promise<void> => page.locator('.tf-playground[data-state="idle"]').waitFor();

  /** Opens a program by its link and runs it. */
  async function run(code: string): Promise<void> {
    await page.goto(`${site.origin}/playground.html${await toHash(code)}`);
    await idle();
    expect(await page.locator('.tf-line').count()).toBe(0);
    await page.getByRole('button', { name: 'Run' }).click();
  }

  const output = async (): Promise<string> => (await page.locator('.tf-log').innerText()).trim();

  test('runs a program, with values as NumPy prints them', async () => {
    await run("import { matmul, tensor } from '@tf/core';\nimport { createEngine } from '@tf/engine-cpu-wasm';\nimport { evaluate } from '@tf/traced';\nconst a: ReturnType<typeof tensor> = tensor([[1, 2.5], [-3, 4]]);\nconsole.log(evaluate(matmul(a as never, a as never), await createEngine()));");
    await idle();
    expect(await output()).toBe('[[-6.5, 12.5],\n [ -15,  8.5]] float64[2, 2]');
  });

  test('shows an error with its remedy, at its line', async () => {
    await run("import { matmul, ones } from '@tf/core';\n\nmatmul(ones([3, 4]), ones([3, 4]));");
    await idle();
    const failure = page.locator('.tf-failure');
    expect(await failure.innerText()).toMatch(/ShapeError\s*TF_SHAPE[\s\S]*line 3[\s\S]*matmul/);
    await page.locator('.cm-lintRange-error').waitFor();
  });

  test('shows a syntax error at its line', async () => {
    await run('const a = 1;\nconst = 2;');
    await idle();
    expect(await page.locator('.tf-failure').innerText()).toMatch(/SyntaxError[\s\S]*line 2/);
  });

  test('says which name a module has not, and which one was meant', async () => {
    await run("import { tensor } from '@tf/core';\nimport { matmull } from '@tf/core';\nconsole.log(matmull(tensor([1])));");
    await idle();
    expect(await page.locator('.tf-failure').innerText()).toMatch(/ImportError[\s\S]*line 2[\s\S]*'@tf\/core' has no export 'matmull'\. Did you mean 'matmul'\?/);
  });

  test('says what may be imported where a program asks for something else while it runs', async () => {
    await run("const { svd } = await import('@tf/linalg');\nconsole.log(typeof svd);\nawait import('@tf/linalgg');");
    await idle();
    expect(await output()).toMatch(/^function\s[\s\S]*line 3[\s\S]*no package '@tf\/linalgg'\. Did you mean '@tf\/linalg'\?/);
  });

  test('shows what failed in a promise that nobody awaits, and in a timer, each with its remedy', async () => {
    await run("Promise.reject(new TypeError('lost'));\nsetTimeout(() => { throw new RangeError('late'); }, 5);\nconsole.log('end');");
    await page.locator('.tf-status', { hasText: /^Failed after/ }).waitFor();
    const failures = await page.locator('.tf-failure').allInnerTexts();
    expect(failures.find((text) => text.includes('lost'))).toMatch(/TypeError[\s\S]*line 1[\s\S]*put await before/);
    expect(failures.find((text) => text.includes('late'))).toMatch(/RangeError[\s\S]*line 2[\s\S]*timer or a listener/);
    expect(failures.length).toBe(2);
  });

  test('runs until the last timer, and stops one that never ends', async () => {
    await run("setTimeout(() => console.log('later'), 30);");
    await idle();
    expect(await output()).toBe('later');
    await run("let n = 0;\nsetInterval(() => n++ === 3 && console.log('ticks'), 1);");
    await page.locator('.tf-line', { hasText: 'ticks' }).waitFor();
    expect(await page.locator('.tf-playground').getAttribute('data-state')).toBe('running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await idle();
  });

  test('a name that is declared twice has its line', async () => {
    await run('let a = 1;\n\nlet a: number = 2;');
    await idle();
    expect(await page.locator('.tf-failure').innerText()).toMatch(/SyntaxError[\s\S]*line 3[\s\S]*'a' has already been declared/);
    await page.locator('.cm-lintRange-error').waitFor();
  });

  test('prints tables, times, warnings, and of what is very long its beginning', async () => {
    await run("console.table([{ n: 1, name: 'one' }, { n: 2 }]);\nconsole.time('t');\nconsole.timeEnd('t');\nconsole.warn('careful');\nconsole.log('x'.repeat(20_000_000));");
    await idle();
    expect(await page.locator('.tf-log thead th').allInnerTexts()).toEqual(['(index)', 'n', 'name']);
    expect(await page.locator('.tf-log tbody tr').count()).toBe(2);
    const text = await output();
    expect(text).toMatch(/t: [\d.]+ ms/);
    expect(text.length).toBeLessThan(25_000);
    expect(text).toContain('19,980,000 characters more are not shown');
    expect(await page.locator('.tf-level-warn').innerText()).toBe('careful');
  });

  test('says that a link is broken, and follows another one', async () => {
    await page.goto(`${site.origin}/playground.html${(await toHash('console.log("whole", "and long enough to be packed packed packed packed");')).slice(0, 20)}`);
    await idle();
    expect(await page.locator('.tf-failure').innerText()).toMatch(/Broken link/);
    const hash = await toHash('console.log("second");');
    await page.evaluate((next) => void (location.hash = next), hash);
    await page.locator('.tf-status', { hasText: 'From a link' }).waitFor();
    expect(await page.locator('.tf-failure').count()).toBe(0);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.tf-line', { hasText: 'second' }).waitFor();
  });

  test('draws a plot', async () => {
    await run("import * as Plot from '@observablehq/plot';\nimport { show } from 'playground';\nshow({ marks: [Plot.lineY([1, 3, 2])] });");
    await idle();
    const image = page.locator('.tf-plot > img');
    await image.waitFor();
    expect(await image.evaluate(async (img: HTMLImageElement) => { await img.decode(); return img.naturalWidth; })).toBeGreaterThan(100);
  });

  test('draws the plot, and not a swatch of its legend', async () => {
    await run("import * as Plot from '@observablehq/plot';\nimport { show } from 'playground';\nshow({ title: 'Two', color: { legend: true }, marks: [Plot.dot([{ x: 1, y: 2, c: 'a' }, { x: 2, y: 3, c: 'b' }], { x: 'x', y: 'y', fill: 'c' })] });");
    await idle();
    const image = page.locator('.tf-plot > img');
    await image.waitFor();
    expect(await image.evaluate(async (img: HTMLImageElement) => { await img.decode(); return img.naturalWidth; })).toBeGreaterThan(100);
  });

  test('shows titles and legends of plots, as wide as there is room for, in text that can be read on a phone', async () => {
    await page.setViewportSize({ width: 375, height: 700 });
    await run("import * as Plot from '@observablehq/plot';\nimport { show } from 'playground';\nshow({ title: 'Two', width: 900, color: { legend: true }, marks: [Plot.dot([{ x: 1, y: 2, c: 'a' }, { x: 2, y: 3, c: 'b' }], { x: 'x', y: 'y', fill: 'c' })] });");
    await idle();
    expect(await page.locator('.tf-plot-title').innerText()).toBe('Two');
    expect(await page.locator('.tf-legend li').allInnerTexts()).toEqual(['a', 'b']);
    // What an image is made smaller by is what its text is made smaller by.
    const scale = await page.locator('.tf-plot > img').evaluate(async (img: HTMLImageElement) => { await img.decode(); return img.clientWidth / img.naturalWidth; });
    expect(12 * scale).toBeGreaterThanOrEqual(10);
  });

  test('is worked with the keyboard alone: out of the editor by Escape and Tab, then every control in turn', async () => {
    await run('console.log("first");');
    await idle();
    expect(await page.locator('.tf-keys').innerText()).toMatch(/Esc, then Tab leaves the editor/);
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    const pressed = async (...keys: readonly string[]): Promise<void> => { for (const key of keys) await page.keyboard.press(key); };
    // Run has the focus: it was pressed.
    expect(await focused()).toBe('Run');
    await pressed('Tab');
    expect(await focused()).toBe('Share');
    await pressed('Enter');
    await page.waitForURL('**/playground.html#*');
    await pressed('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Examples');
    await pressed('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    // Inside, Tab indents; Escape lets it go on.
    await pressed('Control+a');
    await page.keyboard.type("import { tensor } from '@tf/core';\nimport { inspect } from 'playground';\nconsole.log('typed');\nawait inspect((x) => x.mul(x), tensor(2));\nfor (;;) {}");
    await pressed('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    await pressed('Control+Enter');
    await page.locator('.tf-line', { hasText: 'typed' }).waitFor();
    await page.locator('.tf-hint', { hasText: 'what was inspected' }).waitFor();
    await pressed('Escape', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab');
    expect(await focused()).toBe('Stop');
    await pressed('Enter');
    await idle();
    expect(await focused()).toBe('Run');
    await pressed('Tab', 'Tab', 'Tab', 'Escape', 'Tab');
    expect(await focused()).toBe('Output');
    for (const name of ['Program', 'Graph', 'Steps', 'Kernels']) {
      await pressed('ArrowRight');
      expect([await focused(), await page.locator(`#panel-${name}`).isVisible()]).toEqual([name, true]);
    }
    await pressed('Home');
    expect(await focused()).toBe('Output');
  });

  test('says that a program failed, and takes its workers along when the page is left', async () => {
    await run('throw null;');
    await page.locator('.tf-status', { hasText: /^Failed after/ }).waitFor();
    await run('for (;;) {}');
    expect(page.workers().length).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Start', exact: true }).first().click();
    await page.waitForURL(/start/);
    await expect.poll(() => page.workers().length, { timeout: 20_000 }).toBe(0);
  });

  test('stops a loop without an end, and runs the next program', async () => {
    await run('console.log("begun");\nfor (;;) {}');
    await page.getByText('begun').and(page.locator('.tf-line')).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await idle();
    expect(await output()).toContain('Stopped.');
    await page.locator('select[aria-label="Examples"]').selectOption('Eager training');
    await page.getByText('step 400: loss').waitFor();
  });

  test('shows a program and its gradient as text, graph, steps and kernels', async () => {
    await page.goto(`${site.origin}/playground.html`);
    await page.locator('.tf-status', { hasText: 'Done' }).waitFor();
    await page.getByRole('tab', { name: 'Program' }).click();
    expect(await page.locator('#panel-Program').innerText()).toContain('tf.core.log1p');
    await page.locator('select[aria-label="Program to show"]').selectOption({ label: 'gradient of loss' });
    await page.getByRole('tab', { name: 'Graph' }).click();
    expect(await page.locator('.tf-graph .tf-node').count()).toBeGreaterThan(10);
    await page.getByRole('tab', { name: 'Steps' }).click();
    expect(await page.locator('#panel-Steps tbody tr').count()).toBeGreaterThan(1);
    await page.getByRole('tab', { name: 'Kernels' }).click();
    expect(await page.locator('#panel-Kernels').textContent()).toMatch(/kernel rank[\s\S]*\(module/);
  });

  test('writes the program into the address, and reads it from there', async () => {
    await page.goto(`${site.origin}/playground.html`);
    await idle();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('console.log("ä→");');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForURL('**/playground.html#*');
    await page.reload();
    await idle();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Enter');
    await page.locator('.tf-line', { hasText: 'ä→' }).waitFor();
  });
});
