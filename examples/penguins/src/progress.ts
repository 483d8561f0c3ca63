import { Presets, SingleBar } from 'cli-progress';

/** Where the demo writes. */
export interface Output {
  line(text: string): void;
  /** A bar on a terminal, one line elsewhere. */
  progress(label: string, total: number): Progress;
}

export interface Progress {
  done(count: number): void;
  /** Ends the bar; what comes instead of it is written as a line. */
  finish(text: string): void;
}

export function createOutput(stream: NodeJS.WriteStream): Output {
  const line = (text: string): void => void stream.write(`${text}\n`);
  return { line, progress: (label, total) => (stream.isTTY ? bar(stream, line, label, total) : { done() {}, finish: line }) };
}

function bar(stream: NodeJS.WriteStream, line: (text: string) => void, label: string, total: number): Progress {
  const shown = new SingleBar({ stream, format: `${label} {bar} {value}/{total} steps`, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  shown.start(total, 0);
  return {
    done: (count) => shown.update(count),
    finish(text) {
      shown.stop();
      line(text);
    },
  };
}
