import { type OptionChecks, wrongArgument } from '@tf/core';

function requireSizes(op: string, argument: string, value: unknown): void {
  const holds = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((size) => Number.isInteger(size) && (size as number) >= 0);
  if (!holds) throw wrongArgument(op, argument, value, 'a size for each symbolic extent', 'Write { extents: { n: 128 } }.');
}

function requireNames(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) throw wrongArgument(op, argument, value, 'a list of names', "Write { outputNames: ['loss'] }.");
}

function requireSymbol(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) throw wrongArgument(op, argument, value, 'a name of letters, digits and _', "Write { name: 'step' }.");
}

function requireSize(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'number' || Number.isNaN(value) || value < 0) throw wrongArgument(op, argument, value, 'a number of elements', 'Write { largestConstant: 1024 }.');
}

export function requireFamilies(op: string, argument: string, value: unknown): void {
  const isFamily = (each: unknown): boolean => typeof each === 'object' && each !== null && typeof (each as { family?: unknown }).family === 'string' && typeof (each as { operations?: unknown }).operations === 'object';
  if (!Array.isArray(value) || !value.every(isFamily)) throw wrongArgument(op, argument, value, 'a list of what families become', "Write { families: [linalgStableHlo] }, of '@tf/linalg/stablehlo'.");
}

export const exportOptions: OptionChecks = { families: requireFamilies, name: requireSymbol, extents: requireSizes, outputNames: requireNames, largestConstant: requireSize };
