import type { Engine } from '@tf/core';
import type { HostValue } from '../format.ts';
import type { Body } from '../program.ts';

/** One computation on data. */
export interface Task {
  readonly body: Body;
  readonly inputs: readonly HostValue[];
}

/** Entries are aligned with the outputs (cotangents, jvp) or the inputs (tangents); `null` is no direction. */
export type Directions = readonly (HostValue | null)[];

/** A front end of tf, used through its public functions only. */
export interface Front {
  readonly name: string;
  /** `false`: what it runs on has no errors, so that a run that should fail gives something. */
  readonly throws?: false;
  outputs(task: Task): Promise<readonly HostValue[]>;
  /** Gradients of the inputs at the positions `wrt`, in that order. */
  vjp(task: Task, wrt: readonly number[], cotangents: Directions): Promise<readonly HostValue[]>;
  /** Tangents of the outputs; undefined where an output carries none. */
  jvp(task: Task, tangents: Directions): Promise<readonly (HostValue | undefined)[]>;
  /** The derivative of the gradients at the positions `wrt` along the tangents. */
  hvp(task: Task, wrt: readonly number[], cotangents: Directions, tangents: Directions): Promise<readonly HostValue[]>;
}

export type FrontFactory = (engine: Engine) => Front;
