import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, type PeerName } from 'tf-bench-peers';
import { peersFolder } from './places.ts';

/** The module of a peer, of which adapters say what they use. */
export async function loadPeer<T>(name: PeerName): Promise<T> {
  return (await load(name)) as T;
}

export function peerVersion(name: PeerName): string {
  return (JSON.parse(readFileSync(join(peersFolder, 'node_modules', name, 'package.json'), 'utf8')) as { readonly version: string }).version;
}

const stampPath: string = join(peersFolder, 'node_modules', '.tf-installed');

function lockText(): string {
  return readFileSync(join(peersFolder, 'package-lock.json'), 'utf8');
}

/**
 * Installs the peers where they are not yet what the lock file says. Without install scripts: what they build or download
 * (js-pytorch's WebGL) is not used.
 *
 * @returns why not, or undefined when they are there.
 */
export function installPeers(onProgress: (text: string) => void): string | undefined {
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === lockText()) return undefined;
  onProgress('installing the peers into bench/peers (420 MB, once; about half a minute)');
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: peersFolder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (status !== 0) return `npm ci in bench/peers failed: ${error?.message ?? `exit code ${status}`}`;
  writeFileSync(stampPath, lockText());
  return undefined;
}
