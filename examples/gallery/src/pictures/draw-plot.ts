import * as Plot from '@observablehq/plot';
import type { AxisData, MarkData, PlotPicture } from './picture.ts';

const style = { fontFamily: 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif', fontSize: '13px', background: 'white' };
const margins = { marginLeft: 78, marginRight: 24, marginBottom: 56 };
/** Of a character of 13 pixels, and of the disc before it. */
const letterWidth = 7.4;

export interface DrawOptions {
  /** What makes elements: `globalThis.document` on a page, linkedom's in Node. */
  readonly document: Document;
  /** 760 by default. */
  readonly width?: number;
}

/** Draws a diagram as an `<svg>` that stands alone, with its title, explanation and legend inside it. */
export function drawPlot(picture: PlotPicture, { document, width = 760 }: DrawOptions): SVGSVGElement {
  const { title, explanation, legend = [], marks } = picture;
  const below = 36 + 17 * explanation.length;
  const plotted = Plot.plot({
    ...margins, document, style, width, height: below + 420, marginTop: below + (legend.length > 0 ? 42 : 20),
    color: { type: 'identity' },
    x: { ...axisOptions(picture.x), labelOffset: 42 },
    y: { ...axisOptions(picture.y), labelOffset: 66 },
    marks: marks.map(markOf),
  });
  const svg = (plotted.tagName.toLowerCase() === 'svg' ? plotted : plotted.querySelector('svg')) as SVGSVGElement | null;
  if (svg === null) throw new Error(`gallery: Observable Plot returned no <svg> for ${picture.name}.`);
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', [title, ...explanation].join(' '));
  const write = (x: number, y: number, content: string, size: number, weight: number, fill: string): void => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    const attributes = { x, y, 'text-anchor': 'start', 'font-size': size, 'font-weight': weight, fill };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.textContent = content;
    svg.append(element);
  };
  write(margins.marginLeft, 28, title, 18, 600, '#222');
  explanation.forEach((line, at) => write(margins.marginLeft, 49 + 17 * at, line, 12, 400, '#555'));
  let across = margins.marginLeft;
  for (const { text, colour } of legend) {
    write(across, below + 22, `● ${text}`, 13, 600, colour);
    across += letterWidth * (text.length + 5);
  }
  return svg;
}

function axisOptions({ label, type, domain, ticks, tickFormat, grid = true }: AxisData): Plot.ScaleOptions {
  return {
    label, labelAnchor: 'center', labelArrow: 'none', grid,
    ...(type && { type }), ...(domain && { domain: [...domain] }), ...(tickFormat !== undefined && { tickFormat }),
    ...(ticks !== undefined && { ticks: typeof ticks === 'number' ? ticks : [...ticks] }),
  };
}

/** `frame` has no rows; a rule, a line and a dot have theirs. */
function markOf({ mark, data = [], options }: MarkData): Plot.Markish {
  return mark === 'frame' ? Plot.frame(options) : Plot[mark](data, options);
}
