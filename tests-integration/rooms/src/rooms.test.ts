import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { everywhere, type Fault, rows } from './faults.ts';
import { checkRooms, repository, runNode, soundTree, TemporaryFolder } from './tree.ts';

interface Printed {
  readonly refused: string;
  readonly accepted: string;
}

const printed = new Map<Fault, Printed>();

beforeAll(async () => {
  const faults = [...rows, ...everywhere];
  const outputs = await checkRooms(
    faults.flatMap(({ path, wrong, right, besideWrong, besideRight }) => [
      { ...besideWrong, [path]: wrong },
      { ...besideRight, [path]: right },
    ]),
  );
  faults.forEach((fault, i) => void printed.set(fault, { refused: outputs[2 * i] ?? '', accepted: outputs[2 * i + 1] ?? '' }));
}, 60_000);

const claims = (faults: readonly Fault[]): (readonly [string, Fault])[] => faults.map((fault) => [fault.claim, fault]);

/** The wrong file is refused for the named reason and no other; the file put right is accepted. */
const expectRefusedThenAccepted = (fault: Fault): void => {
  const { refused, accepted } = printed.get(fault) ?? { refused: '', accepted: '' };
  expect(refused.split('\n')).toContain(fault.says);
  expect(refused).toMatch(/^\d+ files in \d+ rooms, \d+ imports checked, 1 violations$/m);
  expect(accepted).toMatch(/^\d+ files in \d+ rooms, \d+ imports checked, 0 violations$/m);
};

describe('the table of who may import whom', () => {
  it.each(claims(rows))('refuses %s, and accepts it put right', (_, fault) => expectRefusedThenAccepted(fault));

  it('has a refused import for every room of rooms.json', () => {
    const config = JSON.parse(readFileSync(join(repository, 'rooms.json'), 'utf8')) as { rooms: Record<string, unknown> };
    const refused = new Set([...rows, ...everywhere].map(({ says }) => /\[(?:test of )?([^\]]+)\]/.exec(says)?.[1]));
    expect(Object.keys(config.rooms).filter((room) => !refused.has(room))).toEqual([]);
  });
});

describe('every room', () => {
  it.each(claims(everywhere))('refuses %s, and accepts it put right', (_, fault) => expectRefusedThenAccepted(fault));

  it('refuses a file that no room claims', async () => {
    const path = 'packages/core/src/helpers/text.ts';
    const [output] = await checkRooms([{ [path]: 'export {};\n' }, {}]);
    expect(output).toContain(`${path}:1 [no room] belongs to no room: rooms.json lists every room`);
  });

  it('refuses a file that two rooms claim', async () => {
    const config = JSON.parse(readFileSync(join(repository, 'rooms.json'), 'utf8')) as { rooms: Record<string, unknown> };
    const rooms = { ...config.rooms, second: { files: ['packages/core/src/loop/**'], rule: 'a second claim' } };
    const [output] = await checkRooms([{ 'rooms.json': JSON.stringify({ ...config, rooms }) }, {}]);
    expect(output).toContain('packages/core/src/loop/kernel.ts:1 [core/loop and second] belongs to more than one room: a file has one room');
  });

  it('warns of a file of 401 lines and accepts it', async () => {
    const [output] = await checkRooms([{ 'packages/core/src/loop/kernel.ts': 'export {};\n'.repeat(401) }, {}]);
    expect(output).toContain('warning: packages/core/src/loop/kernel.ts has 401 lines; aim for fewer than 400');
    expect(output).toContain(' 0 violations');
  });

  it('ends with code 1 on a violation, 0 without, and 1 where nothing was checked', async () => {
    using sound = new TemporaryFolder().add(soundTree);
    using faulty = new TemporaryFolder().add({ ...soundTree, 'packages/eager/src/index.ts': `import '@tf/traced';\n` });
    using empty = new TemporaryFolder();
    const outcomes = await Promise.all([sound, faulty, empty].map(({ path }) => runNode('scripts/rooms.mjs', '--root', path)));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 1, 1]);
  });
});
