import * as Plot from '@observablehq/plot';
import type { AxisData, LegendEntry, MarkData, PlotPicture } from './picture.ts';

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

/** Up to here a picture is one of a small screen: margins are smaller, ticks fewer. */
const narrow = 480;
const [titleSize, textSize] = [18, 12];

/** Draws a diagram as an `<svg>` that stands alone, with its title, explanation and legend inside it, in as many lines as its width needs. */
export function drawPlot(picture: PlotPicture, { document, width = 760 }: DrawOptions): SVGSVGElement {
  const { legend = [], marks } = picture;
  const isNarrow = width <= narrow;
  const sides = isNarrow ? { marginLeft: 62, marginRight: 14, marginBottom: 50 } : margins;
  // Above the axes a narrow picture uses all of its width.
  const left = isNarrow ? 10 : sides.marginLeft;
  const room = width - left - sides.marginRight;
  const title = wrapped([picture.title], room / (0.56 * titleSize));
  const explanation = isNarrow ? wrapped([picture.explanation.join(' ')], room / (0.54 * textSize)) : picture.explanation;
  const rows = legendRows(legend, room);
  const below = 14 + 22 * title.length + 17 * explanation.length;
  const plotted = Plot.plot({
    ...sides, document, style, width, height: below + 20 * Math.max(0, rows.length - 1) + (isNarrow ? 330 : 420), marginTop: below + (rows.length > 0 ? 22 + 20 * rows.length : 20),
    color: { type: 'identity' },
    x: { ...axisOptions(picture.x, isNarrow), labelOffset: isNarrow ? 38 : 42 },
    y: { ...axisOptions(picture.y, false), labelOffset: isNarrow ? 54 : 66 },
    marks: marks.map(markOf),
  });
  const svg = (plotted.tagName.toLowerCase() === 'svg' ? plotted : plotted.querySelector('svg')) as SVGSVGElement | null;
  if (svg === null) throw new Error(`gallery: Observable Plot returned no <svg> for ${picture.name}.`);
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', [picture.title, ...picture.explanation].join(' '));
  const write = (x: number, y: number, content: string, size: number, weight: number, fill: string): void => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    const attributes = { x, y, 'text-anchor': 'start', 'font-size': size, 'font-weight': weight, fill };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.textContent = content;
    svg.append(element);
  };
  title.forEach((line, at) => write(left, 28 + 22 * at, line, titleSize, 600, '#222'));
  explanation.forEach((line, at) => write(left, 27 + 22 * title.length + 17 * at, line, textSize, 400, '#555'));
  rows.forEach((row, at) => row.forEach(({ text, colour, across }) => write(left + across, below + 22 + 20 * at, `● ${text}`, 13, 600, colour)));
  return svg;
}

/** Lines of at most so many characters, broken between words. */
function wrapped(lines: readonly string[], most: number): readonly string[] {
  return lines.flatMap((line) => {
    const broken: string[] = [];
    for (const word of line.split(' ')) {
      const last = broken.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= most) broken[broken.length - 1] = `${last} ${word}`;
      else broken.push(word);
    }
    return broken;
  });
}

type PlacedEntry = LegendEntry & { readonly across: number };

/** Entries side by side, in as many rows as they need. */
function legendRows(legend: readonly LegendEntry[], room: number): readonly (readonly PlacedEntry[])[] {
  const rows: PlacedEntry[][] = [];
  let across = Infinity;
  for (const entry of legend) {
    const wide = letterWidth * (entry.text.length + 2);
    if (across + wide > room) {
      rows.push([]);
      across = 0;
    }
    rows[rows.length - 1]!.push({ ...entry, across });
    across += wide + 3 * letterWidth;
  }
  return rows;
}

function axisOptions({ label, type, domain, ticks, tickFormat, grid = true }: AxisData, isNarrow: boolean): Plot.ScaleOptions {
  return {
    label, labelAnchor: 'center', labelArrow: 'none', grid,
    ...(type && { type }), ...(domain && { domain: [...domain] }), ...(tickFormat !== undefined && { tickFormat }),
    ...(ticks !== undefined && { ticks: typeof ticks === 'number' ? (isNarrow ? Math.min(ticks, 5) : ticks) : ticks.filter((_, at) => at % (isNarrow ? Math.ceil(ticks.length / 6) : 1) === 0) }),
  };
}

/** `frame` has no rows; a rule, a line and a dot have theirs. */
function markOf({ mark, data = [], options }: MarkData): Plot.Markish {
  return mark === 'frame' ? Plot.frame(options) : Plot[mark](data, options);
}
