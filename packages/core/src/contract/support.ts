/** What an operation supports, to be asked at run time. Types only. */

/** How tangents are found: by its rule, as the operation itself, which is linear, or by transposing its vjp. */
export type ForwardRoute = 'linearize' | 'linear' | 'transpose of vjp' | 'none';
/** How cotangents are found: by its rule, as the adjoint of the linear operation, or by transposing its linearisation. */
export type ReverseRoute = 'vjp' | 'transpose' | 'transpose of linearize' | 'none';
/** How it runs over a further axis: by its rule, as it is, by what its traits say, element by element, or not. */
export type BatchRoute = 'rule' | 'leading' | 'traits' | 'loop' | 'none';

/** What an operation supports whatever its operands are. */
export interface OperationSupport {
  readonly operation: string;
  readonly differentiable: boolean;
  readonly forward: ForwardRoute;
  readonly reverse: ReverseRoute;
  readonly batch: BatchRoute;
  /** Why there is no derivative, or no batch. */
  readonly reason: string | undefined;
  readonly batchReason: string | undefined;
  /** What its author, or the route itself, warns of. */
  readonly caveats: readonly string[];
  /** Whether another form runs where it is differentiated. */
  readonly augmented: boolean;
  /** How it can be executed: by traits on every engine, by other operations, by a kernel of an execution module. */
  readonly execution: readonly ('traits' | 'lower' | 'kernel')[];
}

/** Whether an input or an output takes part in derivatives, and why not. */
export type ValueSupport = { readonly differentiable: true } | { readonly differentiable: false; readonly reason: string };

/** The same for operands of certain types. */
export interface UseSupport extends OperationSupport {
  readonly inputs: readonly ValueSupport[];
  readonly outputs: readonly ValueSupport[];
}
