import type { LawError } from '../laws/law.ts';
import type { TestRunner } from '../suites/runner.ts';

/** Something wrong on purpose, the law that must reject it, and what it looks like when it is right: one line different. */
export interface Twin {
  readonly name: string;
  readonly law: string;
  /** The laws that the wrong one breaks. */
  readonly wrong: () => Promise<readonly LawError[]>;
  /** The laws that the corrected one breaks: none. */
  readonly right: () => Promise<readonly LawError[]>;
}

/** What the kit said about a twin. */
export interface Verdict {
  readonly name: string;
  readonly law: string;
  /** Every law that rejected the wrong one. */
  readonly rejectedBy: readonly string[];
}

/**
 * Lets the laws judge both twins.
 *
 * @throws Error when the wrong one is accepted by the law it breaks, or the corrected one is rejected.
 */
export async function judgeTwin({ name, law, wrong, right }: Twin): Promise<Verdict> {
  const rejectedBy = [...new Set((await wrong()).map((error) => error.law))];
  if (!rejectedBy.includes(law)) throw new Error(`The twin "${name}" breaks the law "${law}" and was ${rejectedBy.length === 0 ? 'accepted' : `rejected only by ${rejectedBy.join(', ')}`}.`);
  const complaints = await right();
  if (complaints.length > 0) throw new Error(`The corrected twin of "${name}" was rejected: ${complaints.map((error) => error.message).join('\n')}`);
  return { name, law, rejectedBy };
}

/** Registers one test per twin; `report` hears each verdict. */
export function twinSuite(runner: TestRunner, twins: readonly Twin[], report: (verdict: Verdict) => void = () => undefined): void {
  runner.describe('laws reject what breaks them', () => {
    for (const twin of twins) {
      runner.it(`${twin.law} rejects ${twin.name} and accepts its corrected twin`, async () => {
        report(await judgeTwin(twin));
      });
    }
  });
}
