/** A registry on this machine alone, which knows what was published to it and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from './tools.ts';

export class Registry {
  readonly url: string;
  /** An npm configuration that may publish there. */
  readonly userconfig: string;
  readonly #place: string;
  readonly #server: ChildProcess;

  private constructor(url: string, userconfig: string, place: string, server: ChildProcess) {
    this.url = url;
    this.userconfig = userconfig;
    this.#place = place;
    this.#server = server;
  }

  static async start(): Promise<Registry> {
    const place = mkdtempSync(join(realpathSync(tmpdir()), 'tf-registry-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    writeFileSync(join(place, 'config.yaml'), configuration(place));
    const server = spawn(process.execPath, [tool('verdaccio/bin/verdaccio'), '--config', join(place, 'config.yaml'), '--listen', `127.0.0.1:${port}`], { cwd: place, stdio: 'ignore' });
    await answering(url, server);
    const userconfig = join(place, 'npmrc');
    writeFileSync(userconfig, `registry=${url}\n//127.0.0.1:${port}/:_authToken=${await account(url)}\n`);
    return new Registry(url, userconfig, place, server);
  }

  stop(): void {
    this.#server.kill();
    rmSync(this.#place, { recursive: true, force: true });
  }
}

function configuration(place: string): string {
  return JSON.stringify({
    storage: join(place, 'storage'),
    auth: { htpasswd: { file: join(place, 'htpasswd'), max_users: 10 } },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$authenticated', unpublish: '$authenticated' } },
    max_body_size: '100mb',
    log: { type: 'stdout', level: 'error' },
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (server.exitCode !== null) break;
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  server.kill();
  throw new Error(`the registry at ${url} does not answer`);
}

/** Makes an account and gives its token. */
async function account(url: string): Promise<string> {
  const body = JSON.stringify({ name: 'tf', password: 'tf-local-only', email: 'tf@localhost.test', type: 'user', roles: [] });
  const answer = await fetch(`${url}-/user/org.couchdb.user:tf`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  const { token } = (await answer.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`the registry at ${url} gives no token: ${answer.status}`);
  return token;
}
