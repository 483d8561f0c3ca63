import type { GalleryNumber } from '@tf/example-gallery';

/** What the page of an example shows before anybody runs it. */
export interface ShownExample {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly seconds: number;
  readonly numbers: readonly GalleryNumber[];
  /** A run in full that takes longer than most people wait on a page. */
  readonly full?: RecordedRun;
  readonly pictures: readonly { readonly file: string; readonly title: string; readonly explanation: readonly string[] }[];
  readonly code: readonly { readonly file: string; readonly text: string }[];
}

/** What `result.json` of a run in Node says, and the day of it. */
export interface RecordedRun {
  readonly recorded: string;
  readonly seconds: number;
  readonly numbers: readonly GalleryNumber[];
}

/** Seconds as people say them. */
export function durationText(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;
}

/** A number as people write it. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6) ? value.toExponential(3) : String(Number(value.toPrecision(8)));
}

/** What is promised of a number, in words; empty where nothing is. */
export function claimText({ claim }: GalleryNumber): string {
  if (claim === undefined) return '';
  if ('within' in claim) return `within ${numberText(claim.within)}`;
  return 'atMost' in claim ? `at most ${numberText(claim.atMost)}` : `at least ${numberText(claim.atLeast)}`;
}

/** What a number should be, and who says so. */
export function knownText({ known }: GalleryNumber): string {
  return known === undefined ? '' : `${numberText(known.value)} (${known.source})`;
}

export function valueText({ value, unit }: GalleryNumber): string {
  return `${numberText(value)}${unit === undefined ? '' : ` ${unit}`}`;
}
