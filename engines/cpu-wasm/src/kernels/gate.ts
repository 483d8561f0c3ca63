/** What the engine's one imported function calls: the calls of the plan that runs. */
export interface CallTarget {
  call(record: number): void;
}

/** The way from generated code to kernels: one plan runs at a time. */
export class CallGate {
  current: CallTarget | undefined = undefined;
  readonly call = (record: number): void => this.current!.call(record);
}
