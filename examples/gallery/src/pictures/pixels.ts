import type { ImagePicture } from './picture.ts';

/** Pixels as a canvas and a PNG file have them: red, green, blue and opacity, a byte each, row-major from the top left. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8ClampedArray<ArrayBuffer>;
}

/** Between images. */
const gap = 12;

/** The images of a picture beside each other on white, small ones enlarged by a whole factor; on a page: `new ImageData(bytes, width)`. */
export function pixelsOf({ images }: ImagePicture): Pixels {
  const factor = Math.max(1, Math.floor(256 / Math.max(...images.map(({ height }) => height))));
  const width = images.reduce((all, image) => all + image.width * factor, gap * (images.length - 1));
  const height = Math.max(...images.map((image) => image.height)) * factor;
  const bytes = new Uint8ClampedArray(width * height * 4).fill(255);
  let left = 0;
  for (const image of images) {
    const channels = image.values.length / (image.width * image.height);
    if (channels !== 1 && channels !== 3) throw new Error(`gallery: ${image.label} has ${image.values.length} values for ${image.width} × ${image.height} pixels; give one or three for each.`);
    for (let y = 0; y < image.height * factor; y++) {
      for (let x = 0; x < image.width * factor; x++) {
        const from = (Math.floor(y / factor) * image.width + Math.floor(x / factor)) * channels;
        for (let c = 0; c < 3; c++) bytes[(y * width + left + x) * 4 + c] = 255 * (image.values[from + (channels === 1 ? 0 : c)] as number);
      }
    }
    left += image.width * factor + gap;
  }
  return { width, height, bytes };
}
