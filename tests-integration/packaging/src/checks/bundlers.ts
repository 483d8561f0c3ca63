/** The same page built by each bundler without configuration, and run in headless Chromium in each situation. */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, chromium as launcher } from 'playwright-core';
import type { CleanFolder } from '../clean-folder.ts';
import { required } from '../program.ts';
import type { Section } from '../section.ts';
import { serveFolder } from '../site.ts';

const tools = fileURLToPath(new URL('../../tools/', import.meta.url));
const page = fileURLToPath(new URL('../../apps/page/', import.meta.url));
const chromium = [process.env['TF_CHROMIUM'] ?? '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const policy = { 'content-security-policy': "default-src 'self'; script-src 'self'" };

interface Outcome {
  readonly error?: { readonly name: string; readonly message: string };
  readonly first?: readonly number[];
  readonly slope?: unknown;
  readonly isolated?: boolean;
  readonly sharedMemory?: boolean;
}

interface Situation {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  /** What is wrong with what the page did. */
  readonly fault: (outcome: Outcome) => string | undefined;
}

function trained(isolated: boolean): (outcome: Outcome) => string | undefined {
  const wanted: Outcome = { first: [2, 4, 6], slope: [[-0.25, -0.125], [-0.125, -0.0625]], isolated, sharedMemory: isolated };
  return (outcome) => (isDeepStrictEqual(outcome, wanted) ? undefined : JSON.stringify(outcome));
}

function refused(name: string, message: RegExp): (outcome: Outcome) => string | undefined {
  return ({ error, ...rest }) => (error?.name === name && message.test(error.message) ? undefined : JSON.stringify({ error, ...rest }));
}

const situations: readonly Situation[] = [
  { name: 'an isolated page', headers: isolation, query: '', fault: trained(true) },
  { name: 'a page without isolation', headers: {}, query: '', fault: trained(false) },
  { name: 'a worker of an isolated page', headers: isolation, query: '?worker', fault: trained(true) },
  { name: 'a worker without isolation', headers: {}, query: '?worker', fault: trained(false) },
  { name: 'a page whose policy forbids WebAssembly', headers: policy, query: '', fault: refused('EngineUnavailableError', /'wasm-unsafe-eval' to script-src/) },
];

/** For bundlers that copy no file: the error that says so, before the files are where it looked for them. */
const uncopied: Situation = { name: 'a page whose kernels were not copied', headers: {}, query: '', fault: refused('ModuleNotLoadedError', /wasm\/linalg-float64\.wasm.*404.*must lie beside its JavaScript/) };

async function visit(browser: Browser, folder: string, { headers, query }: Situation): Promise<Outcome> {
  const site = await serveFolder(folder, headers);
  const tab = await browser.newPage();
  try {
    const outcome = site.outcome();
    const failed = new Promise<never>((_, reject) => {
      tab.on('pageerror', reject);
      setTimeout(() => reject(new Error('nothing came back in 60 s')), 60_000).unref();
    });
    await tab.goto(`${site.origin}/${query}`);
    return (await Promise.race([outcome, failed])) as Outcome;
  } catch (error) {
    return { error: { name: 'Error', message: String(error) } };
  } finally {
    await tab.close();
    site.close();
  }
}

/** `folder` holds the packages. */
export async function checkBundlers(folder: CleanFolder): Promise<Section> {
  if (chromium === undefined) return { name: 'bundlers in Chromium', counted: {}, faults: ["Chromium is absent: install Debian's package chromium, or name the program in TF_CHROMIUM"] };
  cpSync(page, folder.path, { recursive: true });
  const browser = await launcher.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
  const faults: string[] = [];
  let pages = 0;
  const attempt = async (bundler: string, out: string, situation: Situation): Promise<void> => {
    const fault = situation.fault(await visit(browser, out, situation));
    pages += 1;
    if (fault !== undefined) faults.push(`${bundler}, ${situation.name}: ${fault}`);
  };
  try {
    for (const [bundler, copies] of [['vite', true], ['webpack', true], ['esbuild', false], ['rollup', false]] as const) {
      const out = join(folder.path, `out-${bundler}`);
      await required(process.execPath, [join(tools, 'build.mjs'), bundler, folder.path, out], { cwd: folder.path });
      if (!copies) {
        await attempt(bundler, out, uncopied);
        cpSync(join(folder.path, 'node_modules/@tf/linalg/wasm'), join(out, 'wasm'), { recursive: true });
      }
      for (const situation of situations) await attempt(bundler, out, situation);
    }
  } finally {
    await browser.close();
  }
  return { name: 'bundlers in Chromium', counted: { bundlers: 4, pages }, faults };
}
