import { type DType, dtypes, type Engine, type Operation } from '@tf/core';
import { allDTypes, type SupportRow } from './support.ts';

const derivativeWords = { rule: 'rule', linear: 'linear', derived: 'derived', none: '–' } as const;
const batchWords = { rule: 'rule', traits: 'traits', loop: 'loop', none: '–' } as const;

/** Themes by what operations do, never by their names. */
const themes: readonly (readonly [string, (row: SupportRow) => boolean])[] = [
  ['Elementwise, with derivatives', ({ operation: { traits }, jvp }) => traits.elementwise !== undefined && jvp !== 'none'],
  ['Elementwise, without derivatives', ({ operation: { traits } }) => traits.elementwise !== undefined],
  ['Reductions, running values and order', ({ operation: { traits } }) => traits.reduction !== undefined || traits.scan !== undefined || traits.sort !== undefined],
  ['Products', ({ operation: { traits } }) => traits.contraction !== undefined],
  ['Movement and indexing', ({ operation: { traits } }) => [traits.layout, traits.assembly, traits.gather, traits.scatter, traits.boxAdd].some((trait) => trait !== undefined)],
  ['Control flow', ({ operation: { traits } }) => traits.control !== undefined],
  ['Others', () => true],
];

/** docs/support.md. */
export function supportText(rows: readonly SupportRow[], engines: readonly Engine[]): string {
  const names = engines.map(({ info }) => info.name);
  const core = rows.filter(({ operation }) => operation.family === 'tf.core');
  const families = [...new Set(rows.map(({ operation }) => operation.family))].filter((family) => family !== 'tf.core');
  const placed = [
    ...themes.map(([title, includes], at) => [title, core.filter((row) => includes(row) && !themes.slice(0, at).some(([, earlier]) => earlier(row)))] as const),
    ...families.map((family) => [`The family ${family}`, rows.filter(({ operation }) => operation.family === family)] as const),
  ];
  return [
    '<!-- Written by `pnpm support`: change the operations, not this file. -->',
    '# What every operation supports',
    '',
    summary(rows, names),
    '',
    ...legend(names),
    ...placed.filter(([, members]) => members.length > 0).flatMap(([title, members]) => ['', `## ${title}`, '', ...table(members, names)]),
    '',
    '## Engines',
    '',
    '| engine | dtypes |',
    '| --- | --- |',
    ...engines.map(({ info }) => `| ${info.name} | ${info.dtypes.join(', ')} |`),
    '',
  ].join('\n');
}

function summary(rows: readonly SupportRow[], names: readonly string[]): string {
  const differentiable = rows.filter(({ jvp }) => jvp !== 'none').length;
  const batches = rows.filter(({ batch }) => batch !== 'none').length;
  const pairs = rows.flatMap(({ engines }) => [...engines.values()]);
  const ran = names.map((name) => `${pairs.filter((engines) => engines.includes(name)).length} on ${name}`);
  return `${rows.length} operations: ${differentiable} have derivatives, ${batches} run in batches. They take ${pairs.length} pairs of operation and dtype; of these run ${ran.join(', ')}.`;
}

const legend = (names: readonly string[]): readonly string[] => [
  'Operations are what programs are made of; functions such as `mean`, `softmax`, `topk`, `einsum` or `fftn` are written with them. Each entry was tried:',
  'one program that applies the operation alone was built, differentiated, batched, compiled and run.',
  '',
  '| entry | meaning |',
  '| --- | --- |',
  `| ✓ | takes operands of this dtype (the widest of its operands), and ${names.join(' and ')} run it |`,
  '| a name | only this engine runs it |',
  '| empty | refuses the dtype with a `DTypeError` when the program is built; for control flow, the bodies that were tried do |',
  '| jvp *rule*, *linear* | the tangent has a rule of its own; or the operation is linear, and is its own tangent |',
  '| vjp *rule*, *linear*, *derived* | the cotangent has a rule of its own; is the adjoint of a linear operation; or is the transpose of the tangent |',
  '| batch *rule*, *traits*, *loop* | `vmap` by a rule of its own; by what the operation says of itself (elementwise, reduction); one element after the other |',
  '| – | none; for derivatives: the values are integers, booleans, or do not depend on the operands smoothly anywhere |',
];

const short = (dtype: DType): string => dtypes[dtype].short;

function table(rows: readonly SupportRow[], names: readonly string[]): readonly string[] {
  return [
    `| operation | ${allDTypes.map(short).join(' | ')} | jvp | vjp | batch |`,
    `| --- | ${allDTypes.map(() => ':-:').join(' | ')} | --- | --- | --- |`,
    ...rows.map((row) => `| ${[nameOf(row.operation), ...allDTypes.map((dtype) => cell(row.engines.get(dtype), names)), derivativeWords[row.jvp], derivativeWords[row.vjp], batchWords[row.batch]].join(' | ')} |`),
  ];
}

const nameOf = ({ name }: Operation): string => `\`${name}\``;

function cell(engines: readonly string[] | undefined, names: readonly string[]): string {
  if (engines === undefined) return '';
  return names.every((name) => engines.includes(name)) ? '✓' : engines.join(' ') || 'no engine';
}
