import * as fc from 'fast-check';

/** Numbers that decide about one step: which, on what, and how. Smaller is simpler. */
export interface StepDraw {
  readonly kind: number;
  /** Which of the values that fit become the operands. */
  readonly operands: readonly [number, number, number];
  /** Steer axes, shapes and indices. */
  readonly n: number;
  readonly m: number;
  readonly constant: number;
  readonly dtype: number;
}

export interface InputDraw {
  readonly dtype: number;
  /** How its shape relates to the program's base shape. */
  readonly form: number;
  readonly mask: number;
  readonly seed: number;
}

/** All numbers that decide about one program. */
export interface ProgramDraw {
  readonly regime: number;
  readonly profile: number;
  readonly base: readonly number[];
  readonly inputs: readonly InputDraw[];
  readonly steps: readonly StepDraw[];
  readonly outputs: number;
}

const number = fc.nat({ max: 1023 });
const step: fc.Arbitrary<StepDraw> = fc.record({ kind: fc.nat({ max: 99_999 }), operands: fc.tuple(number, number, number), n: number, m: number, constant: number, dtype: number });
const input: fc.Arbitrary<InputDraw> = fc.record({ dtype: number, form: number, mask: number, seed: number });

/** Drawn evenly: the bias of fast-check towards small numbers would favour the first steps of the table. */
export function programDraws(maximumSteps = 20): fc.Arbitrary<ProgramDraw> {
  return fc.noBias(fc.record({
    regime: fc.nat({ max: 99 }),
    profile: number,
    base: fc.array(number, { maxLength: 4, size: 'max' }),
    inputs: fc.array(input, { minLength: 1, maxLength: 4, size: 'max' }),
    steps: fc.array(step, { minLength: 1, maxLength: maximumSteps, size: 'max' }),
    outputs: number,
  }));
}

/** An entry of a list, by a drawn number. */
export function at<T>(list: readonly T[], draw: number): T {
  return list[draw % list.length] as T;
}
