/** Where progress goes: a terminal, on which a line is overwritten, or a log. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  say(text: string): void;
  end(): void;
}

/** A line that changes on a terminal. A log gets a line when the workload, the contender or the step changes, without every sample. */
export function createProgress(stream: ProgressStream): Progress {
  let latest = '';
  const onTerminal = (text: string): void => void stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
  const inLog = (text: string): void => {
    const step = text.replace(/: [^:]*: sample (\d+)\/\d+$/, ': sample $1');
    if (step !== latest) stream.write(`${text}\n`);
    latest = step;
  };
  return { say: stream.isTTY === true ? onTerminal : inLog, end: () => void (stream.isTTY === true && stream.write('\r\u001b[K')) };
}
