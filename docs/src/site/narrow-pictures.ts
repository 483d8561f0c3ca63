/** Pictures that pages show are wide; on a small screen their text would be too small to read. */
import type { MarkdownRenderer } from 'vitepress';

/** Pixels of a diagram for small screens: about what a column of text has there. */
export const narrowWidth = 340;

/** The file of a diagram for small screens, beside the wide one. */
export function narrowName(file: string): string {
  return file.replace(/\.svg$/, '.narrow.svg');
}

/** The image as a small screen needs it: another file where there is one, else as wide as it is, to be moved sideways. */
export function forSmallScreens(source: string, image: string): string {
  if (/^\/made\/(?:gallery|figures)\/.*\.svg$/.test(source)) return `<picture><source media="(max-width: 560px)" srcset="${narrowName(source)}">${image}</picture>`;
  return /^\/made\/bench\/.*\.svg$/.test(source) ? `<span class="tf-wide" tabindex="0" role="group" aria-label="Wide chart">${image}</span>` : image;
}

/** Every image of every page goes through {@link forSmallScreens}. */
export function adaptPictures(markdown: MarkdownRenderer): void {
  const render = markdown.renderer.rules.image;
  if (render === undefined) return;
  markdown.renderer.rules.image = (tokens, at, ...rest) => forSmallScreens(tokens[at]!.attrGet('src') ?? '', render(tokens, at, ...rest));
}
