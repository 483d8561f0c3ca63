import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from './arguments.ts';
import { groupNames } from './workloads.ts';

const peers = ['tfjs', 'jax-js'];

describe('the command line', () => {
  it('runs every group against every peer unless told otherwise', () => {
    expect(readArguments([], peers)).toEqual({ command: 'run', options: { groups: groupNames, peers: undefined, json: undefined, samples: 9, twice: false } });
  });

  it('takes lists separated by commas', () => {
    const read = readArguments(['--group', 'mlp, dispatch', '--peers', 'tfjs', '--samples', '11', '--twice', '--json', 'x.json'], peers);
    expect(read).toEqual({ command: 'run', options: { groups: ['dispatch', 'mlp'], peers: ['tfjs'], json: 'x.json', samples: 11, twice: true } });
    expect(readArguments(['--peers', 'none'], peers)).toMatchObject({ options: { peers: [] } });
  });

  it('knows the table, its check and help', () => {
    expect(readArguments(['--check', '--base', 'v1', '--group', 'mlp'], peers)).toMatchObject({ command: 'check', base: 'v1', options: { groups: ['mlp'], peers: [] } });
    expect(readArguments(['--serve', 'tf traced'], peers)).toEqual({ command: 'serve', contender: 'tf traced' });
    expect([['--table'], ['--check-table'], ['--help']].map((args) => readArguments(args, peers).command)).toEqual(['table', 'check-table', 'help']);
  });

  it('lists the groups and peers that there are when one is unknown', () => {
    expect(() => readArguments(['--group', 'sparse'], peers)).toThrow(`--group: "sparse" is none of ${groupNames.join(', ')}.`);
    expect(() => readArguments(['--peers', 'tfjs,numpty'], peers)).toThrow('--peers: "numpty" is none of tfjs, jax-js.');
  });

  it.each([[['--samples', '6']], [['--samples', 'many']], [['--nonsense']], [['--table', '--check-table']], [['--base', 'x']], [['--group', '']], [['dispatch']]])('refuses %j', (args) => {
    expect(() => readArguments(args, peers)).toThrow(UsageError);
  });
});
