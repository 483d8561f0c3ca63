import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import { drawPlot } from './draw-plot.ts';
import type { Picture } from './picture.ts';
import { type Pixels, pixelsOf } from './pixels.ts';

/** A diagram, of a width, as the text of an SVG file, images as the bytes of a PNG file. */
export function fileOf(picture: Picture, width?: number): { readonly file: string; readonly content: string | Uint8Array } {
  if (picture.kind === 'image') return { file: `${picture.name}.png`, content: encodePng(pixelsOf(picture)) };
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  return { file: `${picture.name}.svg`, content: `${drawPlot(picture, { document, ...(width !== undefined && { width }) }).outerHTML}\n` };
}

/** Writes pictures into a folder and returns their paths. */
export async function savePictures(folder: string, pictures: readonly Picture[]): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const { file, content } of pictures.map(fileOf)) {
    const path = join(folder, file);
    await writeFile(path, content);
    paths.push(path);
  }
  return paths;
}

/** A PNG file: signature, header, one compressed stream of rows that each begin with filter 0, end (ISO/IEC 15948). */
export function encodePng({ width, height, bytes }: Pixels): Uint8Array {
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++) rows.set(bytes.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel; red, green, blue and opacity; the one compression, the one filter method, not interlaced.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
