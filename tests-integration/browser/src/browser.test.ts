import { type Browser, chromium as launcher } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, isRequired } from './chromium.ts';
import { serve, type Site } from './server.ts';

interface Trained {
  readonly first: { readonly train: number };
  readonly last: { readonly train: number };
  readonly gradient: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly error?: { readonly name: string; readonly code: string; readonly message: string };
  readonly info: { readonly name: string; readonly sharedMemory: boolean; readonly threads: number };
  readonly isolated: boolean;
  readonly traced: Trained;
  readonly eager: Trained;
  readonly memory: string;
}

const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const strict = { 'content-security-policy': "default-src 'self'; script-src 'self'" };

test('Chromium is here where it is required', () => {
  if (chromium === undefined) console.log(`chromium: absent, ${isRequired ? 'required' : 'not required'}. Install Debian's package chromium, or name the program in TF_CHROMIUM.`);
  expect(chromium !== undefined || !isRequired).toBe(true);
});

describe.skipIf(chromium === undefined)('in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser;
  const sites: Site[] = [];

  beforeAll(async () => {
    browser = await launcher.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-gpu'] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    for (const site of sites) site.close();
  });

  /** What a page did. */
  async function visit(page: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
    const site = await serve(headers);
    sites.push(site);
    const tab = await browser.newPage();
    const outcome = site.outcome();
    const failed = new Promise<never>((_, reject) => {
      tab.on('pageerror', reject);
      tab.on('response', (response) => void (response.status() >= 400 && !response.url().endsWith('favicon.ico') && reject(new Error(`${response.url()}: ${response.status()}`))));
    });
    try {
      await tab.goto(`${site.origin}/${page}.html`);
      return (await Promise.race([outcome, failed])) as Outcome;
    } finally {
      await tab.close();
    }
  }

  function expectTraining({ error, info, traced, eager, memory }: Outcome): void {
    expect(error).toBeUndefined();
    expect(info).toMatchObject({ name: 'cpu-wasm', threads: 1 });
    expect(traced.last.train).toBeLessThan(0.5 * traced.first.train);
    expect(eager).toEqual(traced);
    expect(memory).toMatch(/^reserved .*\nin use /);
  }

  let shared: Outcome;

  test('the penguins train as in Node, on shared memory with cross-origin isolation', async () => {
    shared = await visit('page', isolation);
    expectTraining(shared);
    expect([shared.isolated, shared.info.sharedMemory]).toEqual([true, true]);
  });

  test('with the same bits on plain memory without it', async () => {
    const plain = await visit('page', {});
    expectTraining(plain);
    expect([plain.isolated, plain.info.sharedMemory]).toEqual([false, false]);
    expect(plain.traced).toEqual(shared.traced);
  });

  test.each([['with', isolation], ['without', {}]])('with the same bits in a worker, %s isolation', async (_, headers) => {
    const worker = await visit('with-worker', headers);
    expectTraining(worker);
    expect(worker.traced).toEqual(shared.traced);
  });

  test.each([['shared', isolation, true], ['plain', {}, false]] as const)('the engine fetches the code of kernels, whatever type the server gives it, on %s memory', async (_kind, headers, sharedMemory) => {
    const { values, sync, page, ...outcome } = (await visit('kernels', headers)) as unknown as Readonly<Record<string, unknown>>;
    expect(outcome).toEqual({ sharedMemory });
    expect(values).toEqual([[1, 0.5, 4.25], [1, 0.5, 4.25]]);
    expect(sync).toMatchObject({ name: 'ModuleNotLoadedError', message: expect.stringContaining('await createEngine({ modules: [...] })') as string });
    expect(page).toMatchObject({ name: 'ModuleNotLoadedError', message: expect.stringMatching(/kernels\.html, could not be loaded: it begins with 3c 21/) as string });
  });

  test('a policy that forbids WebAssembly is one clear error with the directive to add', async () => {
    const { error } = await visit('page', strict);
    expect(error).toMatchObject({ name: 'EngineUnavailableError', code: 'TF_ENGINE_UNAVAILABLE', message: expect.stringMatching(/Content-Security-Policy.*'wasm-unsafe-eval' to script-src/) as string });
    const allowed = await visit('page', { 'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" });
    expectTraining(allowed);
  });
});
