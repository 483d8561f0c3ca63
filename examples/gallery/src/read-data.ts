import { readFile } from 'node:fs/promises';

/** The text of a file of the npm package vega-datasets, from the installed package. */
export function readData(file: string): Promise<string> {
  return readFile(new URL(`../data/${file}`, import.meta.resolve('vega-datasets')), 'utf8');
}
