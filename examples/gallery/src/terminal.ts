import { Presets, SingleBar } from 'cli-progress';
import type { GalleryProgress } from './example.ts';

/** Where the command writes. */
export interface Terminal {
  line(text: string): void;
  /** A bar on a terminal, nothing elsewhere. */
  progress(step: GalleryProgress): void;
  /** Takes the bar away. */
  endProgress(): void;
}

export function createTerminal(stream: NodeJS.WriteStream): Terminal {
  let bar: SingleBar | undefined;
  return {
    line: (text) => void stream.write(`${text}\n`),
    progress({ label, done, total }) {
      if (!stream.isTTY) return;
      if (bar === undefined) {
        bar = new SingleBar({ stream, format: '  {bar} {value}/{total} {label}', hideCursor: true, clearOnComplete: true, stopOnComplete: false }, Presets.shades_classic);
        bar.start(total, done, { label });
      }
      bar.setTotal(total);
      bar.update(done, { label });
    },
    endProgress() {
      bar?.stop();
      bar = undefined;
    },
  };
}
