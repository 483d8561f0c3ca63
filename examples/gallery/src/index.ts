/** The gallery as a page imports it: the table of examples, what an example is, and an engine for it. */
export { createGalleryEngine } from './engine.ts';
export { type Claim, type GalleryExample, type GalleryNumber, type GalleryProgress, type GalleryResult, type GalleryTask, holds, type KernelSet, type Scale } from './example.ts';
export { gallery } from './gallery.ts';
