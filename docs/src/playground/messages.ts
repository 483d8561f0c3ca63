import type { StepTime } from './step-times.ts';

/** What the page and its worker tell one another. Data only: it is cloned on the way. */
export interface RunRequest {
  readonly kind: 'run';
  readonly code: string;
  /** Pixels that a plot may be wide. */
  readonly width: number;
}

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly role: 'input' | 'constant' | 'operation' | 'output';
  /** What a person reads who points at it. */
  readonly detail: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface StepView {
  readonly text: string;
  /** Run alone on the memory of a whole run; absent where the step does not run alone. */
  readonly time?: StepTime;
}

/** A program, and what becomes of it. */
export interface ProgramView {
  readonly title: string;
  readonly text: string;
  readonly graph: Graph;
  readonly plan: string;
  readonly steps: readonly StepView[];
  /** Microseconds of a whole run. */
  readonly time: number;
  /** The loops in tf's loop language, and the WebAssembly made of them. */
  readonly kernels: readonly string[];
  readonly wasm: string;
}

export interface Failure {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  /** What to do, where the message does not say it. */
  readonly remedy?: string;
  /** Of the program in the editor, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** What a plot consists of, from the top. Drawings are texts of SVG files. */
export type PlotPart =
  | { readonly kind: 'title' | 'subtitle' | 'caption'; readonly text: string }
  | { readonly kind: 'legend'; readonly entries: readonly { readonly svg: string; readonly text: string }[] }
  | { readonly kind: 'drawing'; readonly svg: string };

export type Level = 'log' | 'warn' | 'error';

export type WorkerMessage =
  | { readonly kind: 'print'; readonly level: Level; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'plot'; readonly parts: readonly PlotPart[] }
  | { readonly kind: 'program'; readonly view: ProgramView }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** The program ended, all of its timers too; its worker lives on for what it left to run. */
  | { readonly kind: 'done'; readonly milliseconds: number };
