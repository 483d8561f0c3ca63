import type { Engine } from '@tf/core';
import type { Picture } from './pictures/picture.ts';

/**
 * How much work a run does: `quick` takes seconds and is what tests and a web page begin with; `full` shows what the example claims
 * and may take minutes.
 */
export type Scale = 'quick' | 'full';

/** One problem of the gallery. Its run needs no files and no terminal: it works in Node, on a page and in a worker. */
export interface GalleryExample {
  /** The name of its folder, and of what a run writes. */
  readonly name: string;
  readonly title: string;
  /** What the problem is and how it is solved, in one paragraph for people. */
  readonly text: string;
  /** Which kernels the engine needs beside its own (see `createGalleryEngine`). */
  readonly kernels: readonly KernelSet[];
  /** Solves the problem on an engine, which stays the caller's. */
  run(task: GalleryTask): Promise<GalleryResult>;
}

export type KernelSet = 'linalg' | 'fft';

export interface GalleryTask {
  readonly engine: Engine;
  readonly scale: Scale;
  /** Called often; what it returns is waited for, so that a page may draw. */
  readonly progress: (step: GalleryProgress) => void | Promise<void>;
  /** The text of a file of the npm package vega-datasets, such as `co2-concentration.csv`. */
  readonly readData: (file: string) => Promise<string>;
}

/** How far a run is. All of it can be sent from a worker to a page. */
export interface GalleryProgress {
  /** What is being done, in a few words. */
  readonly label: string;
  readonly done: number;
  readonly total: number;
  /** What can be shown already: each replaces the earlier one of its name. */
  readonly pictures?: readonly Picture[];
}

/** What a run found. All of it can be sent from a worker to a page. */
export interface GalleryResult {
  readonly numbers: readonly GalleryNumber[];
  readonly pictures: readonly Picture[];
}

/** One number that a run found, beside what it should be. */
export interface GalleryNumber {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  /** The right answer, and where it comes from. */
  readonly known?: { readonly value: number; readonly source: string };
  /** What the example promises of this number. */
  readonly claim?: Claim;
}

export type Claim =
  /** Its distance from the known answer. */
  | { readonly within: number }
  | { readonly atMost: number }
  | { readonly atLeast: number };

/** Whether a number is what the example promises; true where it promises nothing, false for NaN where it does. */
export function holds({ value, known, claim }: GalleryNumber): boolean {
  if (claim === undefined) return true;
  if ('atMost' in claim) return value <= claim.atMost;
  if ('atLeast' in claim) return value >= claim.atLeast;
  return known !== undefined && Math.abs(value - known.value) <= claim.within;
}
