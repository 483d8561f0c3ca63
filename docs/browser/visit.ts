import { type Browser, chromium as launcher, type Page } from 'playwright-core';
import { chromium } from '@tf/test-browser/chromium';

/** Milliseconds that a page may take on a machine that does much else; fewer where somebody waits to see a test fail. */
export const patience: number = Number(process.env['TF_PATIENCE'] ?? 110_000);

export function launch(): Promise<Browser> {
  return launcher.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

/** What went wrong on a page: console errors, exceptions, requests that failed or left the site. */
export function faultsOf(page: Page, origin: string): readonly string[] {
  page.setDefaultTimeout(patience);
  const faults: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(`console: ${message.text()}`)));
  page.on('pageerror', (error) => void faults.push(`exception: ${String(error)}`));
  page.on('response', (response) => void (response.status() >= 400 && faults.push(`${response.status()}: ${response.url()}`)));
  page.on('request', (request) => void (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin) && faults.push(`left the site: ${request.url()}`)));
  return faults;
}
