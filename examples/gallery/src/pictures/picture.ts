/** Pictures as plain data: they can be kept as JSON, sent from a worker, and drawn in Node or on a page. */
export type Picture = PlotPicture | ImagePicture;

interface Described {
  /** Of the file that it becomes, without its ending. */
  readonly name: string;
  readonly title: string;
  /** Lines under the title that say how to read it. */
  readonly explanation: readonly string[];
}

/** A diagram, as Observable Plot draws it. */
export interface PlotPicture extends Described {
  readonly kind: 'plot';
  /** From the one drawn first to the one on top. */
  readonly marks: readonly MarkData[];
  readonly x: AxisData;
  readonly y: AxisData;
  readonly legend?: readonly LegendEntry[];
}

export type MarkName = 'areaY' | 'dot' | 'frame' | 'line' | 'lineY' | 'rect' | 'ruleX' | 'ruleY' | 'text' | 'vector';

/** A mark of Observable Plot: rows, and its options with channels named by the rows' fields or constant. No functions. */
export interface MarkData {
  readonly mark: MarkName;
  readonly data?: readonly RowData[];
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

export type RowData = Readonly<Record<string, string | number | null>>;

export interface AxisData {
  readonly label: string;
  readonly type?: 'linear' | 'log' | 'utc';
  readonly domain?: readonly [number, number];
  /** Where ticks stand, or about how many there are. */
  readonly ticks?: number | readonly number[];
  /** As d3-format writes numbers. */
  readonly tickFormat?: string;
  readonly grid?: boolean;
}

export interface LegendEntry {
  readonly text: string;
  readonly colour: string;
}

/** Images beside each other, such as before and after. */
export interface ImagePicture extends Described {
  readonly kind: 'image';
  readonly images: readonly ImageValues[];
}

export interface ImageValues {
  readonly label: string;
  readonly width: number;
  readonly height: number;
  /** Row-major from the top left: one number (grey) or three (red, green, blue) for each pixel, 0 black and 1 full. */
  readonly values: Float64Array;
}

/** The gallery's colours: dark enough on white, and told apart by most people who see few colours. */
export const colours = { blue: '#1f5fa8', red: '#c8443c', orange: '#c96a00', teal: '#067a78', violet: '#8b44b8', grey: '#6b6b6b' } as const;
