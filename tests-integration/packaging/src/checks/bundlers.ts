/** The same page built and served by each bundler without configuration, and run in headless Chromium in each situation. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** What a page of `origin` posted; a page that throws, or says nothing, is an error. */
async function visit(browser: Browser, url: string, outcome: Promise<unknown>): Promise<Outcome> {
  const tab = await browser.newPage();
  try {
    const failed = new Promise<never>((_, reject) => {
      tab.on('pageerror', reject);
      setTimeout(() => reject(new Error('nothing came back in 60 s')), 60_000).unref();
    });
    await tab.goto(url);
    return (await Promise.race([outcome, failed])) as Outcome;
  } catch (error) {
    return { error: { name: 'Error', message: String(error) } };
  } finally {
    await tab.close();
  }
}

async function visitBuilt(browser: Browser, folder: string, { headers, query }: Situation): Promise<Outcome> {
  const site = await serveFolder(folder, headers);
  try {
    return await visit(browser, `${site.origin}/${query}`, site.outcome());
  } finally {
    site.close();
  }
}

/** A development server's process: it says where it listens, then line by line what pages post. */
class DevelopmentServer {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(bundler: string, folder: string) {
    this.#process = spawn(process.execPath, [join(tools, 'serve.mjs'), bundler, folder], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout! })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the server ended');
    return value;
  }

  async outcome(): Promise<unknown> {
    return JSON.parse(await this.line());
  }

  close(): void {
    this.#process.kill();
  }
}

async function visitServed(browser: Browser, bundler: string, folder: string, { query }: Situation): Promise<Outcome> {
  const server = new DevelopmentServer(bundler, folder);
  try {
    return await visit(browser, `${await server.line()}${query}`, server.outcome());
  } finally {
    server.close();
  }
}

/** A page whose scripts are no modules does not find its own worker by import.meta.url, which is empty there. */
const oneScript = 'esbuild as one script';
/** esbuild and Rollup copy no file that new URL(…) names: they take the kernels in as text. */
const builders: readonly string[] = ['vite', 'webpack', 'esbuild', oneScript, 'rollup'];
/** Vite before 8 moves packages to .vite/deps and leaves their files behind: a path to one leads to the page. */
const servers: readonly string[] = ['vite', 'vite7'];

/** `folder` holds the packages. */
export async function checkBundlers(folder: CleanFolder): Promise<Section> {
  if (chromium === undefined) return { name: 'bundlers in Chromium', counted: {}, faults: ["Chromium is absent: install Debian's package chromium, or name the program in TF_CHROMIUM"] };
  cpSync(page, folder.path, { recursive: true });
  const browser = await launcher.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
  const faults: string[] = [];
  let pages = 0;
  const attempt = async (name: string, situation: Situation, visiting: Promise<Outcome>): Promise<void> => {
    const fault = situation.fault(await visiting);
    pages += 1;
    if (fault !== undefined) faults.push(`${name}, ${situation.name}: ${fault}`);
  };
  try {
    for (const bundler of builders) {
      const out = join(folder.path, `out-${bundler.replaceAll(' ', '-')}`);
      await required(process.execPath, [join(tools, 'build.mjs'), bundler, folder.path, out], { cwd: folder.path });
      for (const situation of situations.filter(({ query }) => query === '' || bundler !== oneScript)) await attempt(bundler, situation, visitBuilt(browser, out, situation));
    }
    for (const bundler of servers) {
      for (const situation of situations.filter(({ headers }) => Object.keys(headers).length === 0)) await attempt(`the server of ${bundler}`, situation, visitServed(browser, bundler, folder.path, situation));
    }
  } finally {
    await browser.close();
  }
  return { name: 'bundlers in Chromium', counted: { bundlers: builders.length, servers: servers.length, pages }, faults };
}
