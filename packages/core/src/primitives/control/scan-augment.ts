import type { Atom, Augmented, Covered, Narrowed, Operation, Params, Program, RegionTangents, RuleSite, Var } from '../../contract.ts';
import { movingCarries } from './derivative-bodies.ts';
import { range } from './region.ts';
import { formsOf, liveOutputs, newestForm, residualValue, withoutOutputs } from './residual-outputs.ts';
import { placesOf, type ScanParams, scanParams } from './scan-params.ts';

/** Values of the body that the tangents read and that are neither constants nor slices of inputs. */
export function stackedResiduals({ constants, carries }: ScanParams, region: RegionTangents): readonly Atom[] {
  return region.residuals.filter(({ kind, index }) => kind === 'further' || (index >= constants && index < constants + carries)).map((residual) => residualValue(region, residual));
}

/** The stacked output that has a value of the body. */
export function stackOfValue({ body, carries }: ScanParams, value: Atom): number | undefined {
  const at = body.outputs.indexOf(value, carries);
  return at < 0 ? undefined : at;
}

/** Stacks what the tangents read while the loop runs, so that nothing runs it again for that. */
export function augmentScan(site: RuleSite): Augmented | undefined {
  const params = scanParams(site.params);
  // What is linear in all that moves is its own derivative.
  if (site.active.every((is, at) => !is || params.linear.includes(at))) return undefined;
  const { program } = liveOutputs(params.body, site.live, params.carries);
  const { region } = movingCarries(site, program, params.constants, params.carries, site.active);
  const missing = stackedResiduals(params, region).filter((value) => stackOfValue(params, value) === undefined);
  if (missing.length === 0) return undefined;
  const body: Program = { ...region.primal, outputs: [...params.body.outputs, ...missing] };
  return { operation: site.operation, params: { ...params, body, linear: [], forms: [...formsOf(params), params.body, params.linear] } };
}

export function coveredByScan(operation: Operation, given: Params): Covered | undefined {
  const params = scanParams(given);
  const form = newestForm(formsOf(params), 1);
  if (form === undefined) return undefined;
  const { forms: _, ...rest } = params;
  const [body] = form.programs as readonly [Program];
  return { operation, params: { ...rest, body, linear: form.linear, ...form.before }, outputs: range(body.outputs.length) };
}

/** Without the stacks that nobody reads, the carries that nothing else needs, and the inputs that only these read. */
export function pruneScan(operation: Operation, given: Params, live: readonly boolean[], count: number): Narrowed | undefined {
  const params = scanParams(given);
  const { body, constants, carries } = params;
  const needed = live.map((is) => is);
  let left = withoutOutputs(body, placesWhere(needed));
  for (;;) {
    const further = range(carries).filter((at) => needed[at] !== true && left.reads.has(body.inputs[constants + at] as Var));
    if (further.length === 0) break;
    for (const at of further) needed[at] = true;
    left = withoutOutputs(body, placesWhere(needed));
  }
  const places = placesOf(params, count);
  const inputs = range(count).filter((at) => (places.carries.includes(at) ? needed[at - constants] === true : left.reads.has(body.inputs[at] as Var)));
  // A scan has an operand, even where its results depend on none.
  if (inputs.length === 0 || (inputs.length === count && !needed.includes(false))) return undefined;
  const { forms: _, ...rest } = params;
  const outputs = placesWhere(needed);
  const kept = {
    ...rest,
    body: { ...left.program, inputs: inputs.map((at) => body.inputs[at] as Var) },
    constants: inputs.filter((at) => at < constants).length,
    carries: outputs.filter((at) => at < carries).length,
    linear: params.linear.flatMap((at) => (inputs.includes(at) ? [inputs.indexOf(at)] : [])),
  };
  return { operation, params: kept, inputs, outputs: needed.map((is, at) => (is ? outputs.indexOf(at) : undefined)) };
}

function placesWhere(list: readonly boolean[]): readonly number[] {
  return list.flatMap((is, at) => (is ? [at] : []));
}
