import { expect, test } from 'vitest';
import { placeGraph } from './draw-graph.ts';
import type { GraphNode } from './messages.ts';

const node = (id: string, label = id): GraphNode => ({ id, label, role: 'operation', detail: '' });

test('what reads a value lies below it, and nothing overlaps', () => {
  const { nodes, edges, width, height } = placeGraph({ nodes: [node('a'), node('b', 'a long label'), node('c'), node('d')], edges: [{ from: 'a', to: 'b' }, { from: 'a', to: 'b' }, { from: 'a', to: 'c' }, { from: 'b', to: 'd' }, { from: 'c', to: 'd' }] });
  const at = new Map(nodes.map((placed) => [placed.id, placed]));
  expect([at.get('a')!.y < at.get('b')!.y, at.get('b')!.y < at.get('d')!.y, at.get('b')!.y === at.get('c')!.y]).toEqual([true, true, true]);
  expect(Math.abs(at.get('b')!.x - at.get('c')!.x)).toBeGreaterThan((at.get('b')!.width + at.get('c')!.width) / 2);
  expect(edges).toHaveLength(5);
  expect(nodes.every(({ x, y }) => x > 0 && x < width && y > 0 && y < height)).toBe(true);
});
