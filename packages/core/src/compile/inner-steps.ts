import type { Step } from '../contract.ts';

/** The steps right inside a step, in the order in which the step names them: a condition's before those that it lets run, branch after branch. */
export function innerSteps(step: Step): readonly Step[] {
  switch (step.kind) {
    case 'tile':
    case 'repeat':
      return step.steps;
    case 'while':
      return [...step.condition, ...step.steps];
    case 'branch':
      return step.branches.flat();
    default:
      return noSteps;
  }
}

const noSteps: readonly Step[] = Object.freeze([]);

/** Every step, each before those inside it. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  const all: Step[] = [];
  const visit = (step: Step): void => {
    all.push(step);
    innerSteps(step).forEach(visit);
  };
  steps.forEach(visit);
  return all;
}
