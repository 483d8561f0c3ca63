import type { BatchRoute, DerivativeRule, ForwardRoute, Operation, OperationSupport, ReverseRoute, Rule } from '../contract.ts';

/** What an operation supports, as its rule and its traits say. */
export function operationSupport(operation: Operation, rule: Rule): OperationSupport {
  const batch = batchRoute(operation, rule);
  return {
    operation: operation.id,
    differentiable: rule.kind === 'rule',
    forward: rule.kind === 'none' ? 'none' : forwardRoute(rule),
    reverse: rule.kind === 'none' ? 'none' : reverseRoute(rule),
    batch,
    reason: rule.kind === 'none' ? rule.reason : undefined,
    batchReason: typeof rule.batch === 'object' ? rule.batch.reason : undefined,
    caveats: [...(rule.caveats ?? []), ...(batch === 'loop' ? ['over a batch it runs for one element after the other'] : [])],
    augmented: rule.kind === 'rule' && rule.augment !== undefined,
    execution: executionOf(operation),
  };
}

function forwardRoute(rule: DerivativeRule): ForwardRoute {
  if (rule.linearize !== undefined) return 'linearize';
  return rule.linear !== undefined ? 'linear' : 'transpose of vjp';
}

function reverseRoute(rule: DerivativeRule): ReverseRoute {
  if (rule.vjp !== undefined) return 'vjp';
  return rule.transpose !== undefined ? 'transpose' : 'transpose of linearize';
}

function batchRoute({ traits }: Operation, { batch }: Rule): BatchRoute {
  if (typeof batch === 'function') return 'rule';
  if (batch === 'leading' || batch === 'loop') return batch;
  if (batch !== undefined) return 'none';
  return traits.elementwise !== undefined || traits.reduction !== undefined || traits.identity === true || traits.barrier === true ? 'traits' : 'loop';
}

function executionOf({ traits, lower }: Operation): OperationSupport['execution'] {
  const { call, prune: _prune, covers: _covers, join: _join, asAccumulation: _asAccumulation, ...own } = traits;
  return [...(Object.keys(own).length > 0 ? (['traits'] as const) : []), ...(lower === undefined ? [] : (['lower'] as const)), ...(call === undefined ? [] : (['kernel'] as const))];
}
