import type { Operation, Program, Var } from '../../contract.ts';
import { regionsOf } from '../../program/params.ts';
import { type Dim, isKnown, subDims } from '../../types/dim.ts';
import { minimum } from '../extrema.ts';
import { take } from '../indexing.ts';
import { iotaBeside } from '../iota.ts';
import { minOver } from '../reduce.ts';
import { select } from '../select.ts';
import { extentOf } from '../size.ts';

/**
 * Whether a program may fail or not end for values that it was not meant for: it names places by values, or loops until a
 * condition fails. In a batch such a program must not see the elements that would not have run it.
 */
export function isCareful({ instructions }: Program): boolean {
  return instructions.some(({ operation, params }) => mayRefuse(operation) || operation.traits.control?.(params).kind === 'while' || regionsOf(params).some(isCareful));
}

function mayRefuse({ traits }: Operation): boolean {
  return traits.gather !== undefined || traits.scatter !== undefined;
}

/**
 * For each element of a batch a place in it: its own where it is among those that run, else that of the first one that does.
 * `runs` is one bool per element; where none does, places are in range and mean nothing.
 */
export function placesOfRunning(runs: Var<'bool'>, size: Dim): Var {
  const own = iotaBeside('vmap', runs, size);
  if (size === 0) return own as Var;
  const last = isKnown(size) ? size - 1 : (extentOf(runs, subDims(size, 1)) as Var);
  return select(runs, own, minimum(minOver(select(runs, own, last) as Var) as Var, last)) as Var;
}

/** A value with the batch axis first in which elements that do not run are those of one that does. */
export function onlyRunning(value: Var, places: Var): Var {
  return take(value, places as Var<'int32'>, 0) as Var;
}
