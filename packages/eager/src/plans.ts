import { compileProgram, type Engine, type Plan, type Program } from '@tf/core';

/** The plan of a program, which depends on the kernels that an engine has. Kept for the last of them: nearly always all have the same. */
export class Plans {
  readonly #program: Program;
  #kernels: string | undefined;
  #plan: Plan | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  on({ kernels }: Engine): Plan {
    const text = kernels === undefined ? '' : [...kernels].sort().join(' ');
    if (this.#plan === undefined || this.#kernels !== text) {
      this.#plan = compileProgram(this.#program, { kernels });
      this.#kernels = text;
    }
    return this.#plan;
  }
}
