/** Pictures as data, and how a page draws them. Node's files are written by `save.ts`, which a page never loads. */
export { logAxis } from './axes.ts';
export { drawPlot, type DrawOptions } from './draw-plot.ts';
export { type AxisData, colours, type ImageValues, type ImagePicture, type LegendEntry, type MarkData, type MarkName, type Picture, type PlotPicture, type RowData } from './picture.ts';
export { type Pixels, pixelsOf } from './pixels.ts';
