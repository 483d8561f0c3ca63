import type { Operation, Params, UseSupport, ValueSupport } from '../contract.ts';
import { isTfError, TfError } from '../errors.ts';
import { inferTypes } from '../program/infer.ts';
import { operationSupport } from '../program/support.ts';
import { isInexact } from '../types/dtype.ts';
import type { TensorType } from '../types/tensor-type.ts';
import type { RuleRequest } from './rule-context.ts';
import type { LocalRules } from './whole.ts';

/** What an operation supports for operands of these types: its rule is tried by each input alone, and for all outputs. */
export function useSupport(rules: LocalRules, operation: Operation, inputTypes: readonly TensorType[], params: Params): UseSupport {
  const rule = rules.catalog.rule(operation);
  const outputTypes = inferTypes(operation, inputTypes, params, () => undefined);
  const float = inputTypes.map(({ dtype }) => isInexact(dtype));
  const live = outputTypes.map(({ dtype }) => isInexact(dtype));
  const request = (active: readonly boolean[]): RuleRequest => ({ operation, params, inputTypes, outputTypes, active, live });
  const tried = (direction: 'forward' | 'reverse', active: readonly boolean[]): readonly (number | undefined)[] | string => {
    if (rule.kind === 'none') return rule.reason;
    if (!active.includes(true) || !live.includes(true)) return 'nothing that carries tangents goes in and comes out';
    try {
      return rules.local(direction, request(active)).results;
    } catch (error) {
      if (error instanceof TfError && isTfError(error, 'UnsupportedRuleError')) return String(error.fields['reason'] ?? error.message);
      throw error;
    }
  };
  const forward = tried('forward', float);
  return {
    ...operationSupport(operation, rule),
    inputs: inputTypes.map((type, at) => (isInexact(type.dtype) ? supportOf(tried('reverse', float.map((_, other) => other === at)), at, 'no output moves with it') : noTangent(type))),
    outputs: outputTypes.map((type, at) => (isInexact(type.dtype) ? supportOf(forward, at, 'it moves with no input') : noTangent(type))),
  };
}

function supportOf(found: readonly (number | undefined)[] | string, at: number, still: string): ValueSupport {
  if (typeof found === 'string') return { differentiable: false, reason: found };
  return found[at] === undefined ? { differentiable: false, reason: still } : { differentiable: true };
}

function noTangent({ dtype }: TensorType): ValueSupport {
  return { differentiable: false, reason: `${dtype} values carry no tangent` };
}
