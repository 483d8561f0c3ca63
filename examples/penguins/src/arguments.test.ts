import { describe, expect, it } from 'vitest';
import { defaultOptions, readArguments, UsageError } from './arguments.ts';

describe('the command line', () => {
  it('has defaults, a quick form and a planted fault', () => {
    expect(readArguments([])).toEqual(defaultOptions);
    expect(readArguments(['--quick'])?.seeds).toEqual([1]);
    expect(readArguments(['--seeds', '4,5', '--steps', '10', '--flip', 'tanh', '--out', 'here'])).toEqual({ seeds: [4, 5], steps: 10, flip: 'tanh', out: 'here' });
    expect(readArguments(['--help'])).toBeUndefined();
  });

  it.each([[['--seeds', '1,x']], [['--seeds', '']], [['--steps', '0']], [['--steps', '1.5']], [['--nonsense']]])('refuses %j', (args) => {
    expect(() => readArguments(args)).toThrow(UsageError);
  });
});
