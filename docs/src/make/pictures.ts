import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Picture } from '@tf/example-gallery/pictures';
import { fileOf } from '@tf/example-gallery/save';
import { narrowName, narrowWidth } from '../site/narrow-pictures.ts';

/** Writes a picture, and a diagram for small screens too. */
export function writePicture(folder: string, picture: Picture): void {
  mkdirSync(folder, { recursive: true });
  const { file, content } = fileOf(picture);
  writeFileSync(join(folder, file), content);
  if (picture.kind === 'plot') writeFileSync(join(folder, narrowName(file)), fileOf(picture, narrowWidth).content);
}
