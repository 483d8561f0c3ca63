import { Graph as Layout, layout } from '@dagrejs/dagre';
import type { Graph } from './messages.ts';

/** Beyond this a picture helps nobody. */
const mostNodes = 250;
const svgNamespace = 'http://www.w3.org/2000/svg';
const nodeHeight = 28;
const characterWidth = 7.6;

export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number; readonly width: number }[];
  readonly edges: readonly { readonly points: readonly { readonly x: number; readonly y: number }[] }[];
}

/** Where nodes and edges lie, in layers from the inputs down. */
export function placeGraph({ nodes, edges }: Graph): Placed {
  const graph = new Layout({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 30, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, label } of nodes) graph.setNode(id, { width: Math.max(36, label.length * characterWidth + 18), height: nodeHeight });
  edges.forEach(({ from, to }, at) => graph.setEdge(from, to, {}, `e${at}`));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    width, height,
    nodes: nodes.map(({ id }) => ({ id, ...(graph.node(id) as { readonly x: number; readonly y: number; readonly width: number }) })),
    edges: graph.edges().map((edge) => ({ points: (graph.edge(edge) as { readonly points: readonly { readonly x: number; readonly y: number }[] }).points })),
  };
}

function svg(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: readonly (Node | string)[]): SVGElement {
  const made = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** The graph as a picture; a sentence instead where it has too many nodes. */
export function drawGraph(graph: Graph): Node {
  if (graph.nodes.length > mostNodes) return document.createTextNode(`${graph.nodes.length} nodes are too many to draw; the Program tab has them as text.`);
  const { width, height, nodes, edges } = placeGraph(graph);
  const arrow = svg('marker', { id: 'tf-arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M0,0 L8,4 L0,8 z', class: 'tf-arrow' }));
  const lines = edges.map(({ points }) => svg('polyline', { class: 'tf-edge', 'marker-end': 'url(#tf-arrow)', points: points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ') }));
  const boxes = graph.nodes.map(({ label, role, detail }, at) => {
    const { x, y, width: wide } = nodes[at]!;
    return svg('g', { class: `tf-node tf-is-${role}`, transform: `translate(${x},${y})` },
      svg('title', {}, detail),
      svg('rect', { x: -wide / 2, y: -nodeHeight / 2, width: wide, height: nodeHeight, rx: role === 'operation' ? 5 : 14 }),
      svg('text', { 'text-anchor': 'middle', dy: '0.34em' }, label));
  });
  return svg('svg', { class: 'tf-graph', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `graph of ${graph.nodes.length} nodes` }, svg('defs', {}, arrow), ...lines, ...boxes);
}
