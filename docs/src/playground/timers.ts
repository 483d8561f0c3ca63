type Start = (work: unknown, ...rest: readonly unknown[]) => number;
type Clear = (id?: number) => void;

/** The timers of a worker's global object. */
export interface TimerScope {
  setTimeout: Start;
  clearTimeout: Clear;
  setInterval: Start;
  clearInterval: Clear;
  requestAnimationFrame?: Start;
  cancelAnimationFrame?: Clear;
}

export interface Timers {
  /** Waits until no timer is set, and until what the last one began has had its turn. */
  idle(): Promise<void>;
}

/** Counts the timers that a program sets, so that its end is the end of the last one. */
export function trackTimers(scope: TimerScope): Timers {
  const later = scope.setTimeout.bind(scope);
  const open = new Set<unknown>();
  const waiting: (() => void)[] = [];
  /** Twice around: a promise that failed is told of after the work that made it. */
  const settle = (): void => {
    if (waiting.length > 0 && open.size === 0) later(() => later(() => open.size === 0 && waiting.splice(0).forEach((go) => go()), 0), 0);
  };
  const track = (start: Start, clear: Clear, repeats: boolean): { readonly start: Start; readonly clear: Clear } => {
    // One object for each timer: the numbers of timers and of frames may be the same.
    const known = new Map<number | undefined, object>();
    const close = (id: number | undefined): void => {
      open.delete(known.get(id));
      known.delete(id);
      settle();
    };
    return {
      start(work, ...rest) {
        const id = start.call(scope, typeof work !== 'function' || repeats ? work : (...values: readonly unknown[]) => {
          try {
            return work.apply(scope, values) as unknown;
          } finally {
            close(id);
          }
        }, ...rest);
        // A text is not ours to wrap: whoever gives one is not waited for.
        if (typeof work === 'function') known.set(id, { id });
        if (typeof work === 'function') open.add(known.get(id));
        return id;
      },
      clear(id) {
        clear.call(scope, id);
        close(id);
      },
    };
  };
  const [once, often] = [track(scope.setTimeout, scope.clearTimeout, false), track(scope.setInterval, scope.clearInterval, true)];
  // Browsers let either function clear either kind.
  const clear: Clear = (id) => [once, often].forEach((kind) => kind.clear(id));
  Object.assign(scope, { setTimeout: once.start, setInterval: often.start, clearTimeout: clear, clearInterval: clear });
  if (scope.requestAnimationFrame !== undefined && scope.cancelAnimationFrame !== undefined) {
    const frames = track(scope.requestAnimationFrame, scope.cancelAnimationFrame, false);
    Object.assign(scope, { requestAnimationFrame: frames.start, cancelAnimationFrame: frames.clear });
  }
  return {
    idle: () => new Promise((resolve) => {
      waiting.push(resolve);
      settle();
    }),
  };
}
