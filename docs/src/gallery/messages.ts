import type { GalleryProgress, GalleryResult, Scale } from '@tf/example-gallery';

export interface GalleryRequest {
  readonly name: string;
  readonly scale: Scale;
  /** Where the data of examples lie. */
  readonly data: string;
}

export type GalleryMessage =
  | { readonly kind: 'progress'; readonly progress: GalleryProgress }
  | { readonly kind: 'result'; readonly result: GalleryResult; readonly seconds: number }
  | { readonly kind: 'failure'; readonly name: string; readonly message: string };
