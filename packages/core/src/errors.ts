/** Who has to act: the user, whoever supplies a missing part, or us. */
export type ErrorKind = 'user' | 'unsupported' | 'invariant';

/**
 * The table of error codes. Keys are the `name` of a thrown {@link TfError}; the documentation is made from this table.
 */
export const errorTable = {
  ShapeError: { code: 'TF_SHAPE', kind: 'user', about: 'operand shapes do not fit the operation' },
  DTypeError: { code: 'TF_DTYPE', kind: 'user', about: 'an operand has a dtype the operation does not take' },
  AxisError: { code: 'TF_AXIS', kind: 'user', about: 'an axis is out of range, repeated or not an integer' },
  IndexError: { code: 'TF_INDEX', kind: 'user', about: 'an index names no element' },
  ArgumentError: { code: 'TF_ARGUMENT', kind: 'user', about: 'an argument has the wrong form' },
  DataLengthError: { code: 'TF_DATA_LENGTH', kind: 'user', about: 'the number of values differs from what the shape needs' },
  ConstraintError: { code: 'TF_CONSTRAINT', kind: 'user', about: 'a size bound to a symbolic dimension breaks a recorded constraint' },
  NonScalarGradError: { code: 'TF_NON_SCALAR_GRAD', kind: 'user', about: 'a gradient needs a real scalar output or an explicit cotangent' },
  InactiveGradError: { code: 'TF_INACTIVE_GRAD', kind: 'user', about: 'the output does not depend on the value it is differentiated by' },
  NotDifferentiableError: { code: 'TF_NOT_DIFFERENTIABLE', kind: 'user', about: 'integer and boolean values carry no tangent' },
  ForeignValueError: { code: 'TF_FOREIGN_VALUE', kind: 'user', about: 'a value of another builder or engine was used' },
  ContextMismatchError: { code: 'TF_CONTEXT_MISMATCH', kind: 'user', about: 'tensors of two eager runtimes were mixed' },
  ModeMixError: { code: 'TF_MODE_MIX', kind: 'user', about: 'a tracked eager tensor was used in traced code' },
  TracerLeakError: { code: 'TF_TRACER_LEAK', kind: 'user', about: 'a traced value was used as a JavaScript number, string or index (`if (t)` is always true and cannot be seen)' },
  NoSessionError: { code: 'TF_NO_SESSION', kind: 'user', about: 'an eager operation ran outside any session' },
  SessionBusyError: { code: 'TF_SESSION_BUSY', kind: 'user', about: 'a session on another engine is already open in this runtime' },
  AsyncCallbackError: { code: 'TF_ASYNC_CALLBACK', kind: 'user', about: 'a synchronous scope was given an asynchronous callback' },
  DisposedError: { code: 'TF_DISPOSED', kind: 'user', about: 'a disposed tensor or engine was used' },
  AsyncReadRequiredError: { code: 'TF_ASYNC_READ', kind: 'user', about: 'this engine reads values asynchronously only' },
  UnsafeIntegerError: { code: 'TF_UNSAFE_INTEGER', kind: 'user', about: 'an int64 value does not fit a JavaScript number' },
  KernelError: { code: 'TF_KERNEL', kind: 'user', about: 'a kernel found no result for an element of a batch, e.g. a singular matrix' },
  LinalgError: { code: 'TF_LINALG', kind: 'user', about: 'a matrix of a batch has no result: it is singular, not positive definite, or its spectrum is degenerate' },
  TooLargeError: { code: 'TF_TOO_LARGE', kind: 'user', about: 'a size exceeds what can be addressed or allocated' },
  ParseError: { code: 'TF_PARSE', kind: 'user', about: 'a program text could not be read' },
  ExtensionError: { code: 'TF_EXTENSION', kind: 'user', about: 'an extension is malformed, duplicated or made for another contract' },
  UnregisteredFamilyError: { code: 'TF_UNREGISTERED_FAMILY', kind: 'unsupported', about: 'a family of operations is not registered where it is needed' },
  UnsupportedRuleError: { code: 'TF_UNSUPPORTED_RULE', kind: 'unsupported', about: 'an operation has no derivative rule for this use' },
  UnsupportedOnEngineError: { code: 'TF_UNSUPPORTED_ON_ENGINE', kind: 'unsupported', about: 'an engine cannot run an operation or dtype' },
  ModuleNotLoadedError: { code: 'TF_MODULE_NOT_LOADED', kind: 'unsupported', about: 'an engine module was used before it was loaded' },
  EngineUnavailableError: { code: 'TF_ENGINE_UNAVAILABLE', kind: 'unsupported', about: 'an engine cannot run on this machine' },
  EngineFaultError: { code: 'TF_ENGINE_FAULT', kind: 'invariant', about: 'generated code trapped' },
  InvariantError: { code: 'TF_INVARIANT', kind: 'invariant', about: 'tf broke one of its own rules: please report it' },
} as const;

export type ErrorName = keyof typeof errorTable;

/** What an error is about, as data: the parts of the message a program may want to read. */
export interface ErrorFields {
  readonly op?: string;
  readonly argument?: string;
  readonly family?: string;
  readonly role?: string;
  readonly engine?: string;
  readonly [field: string]: unknown;
}

const marker = Symbol.for('tf.error');

/**
 * The one error class of tf. `name` and `code` are stable; `fields` hold operation, argument and sizes; the message ends with the remedy.
 *
 * @example
 * import { TfError, isTfError } from '@tf/core';
 * const error = new TfError('ShapeError', 'matmul: cannot contract 3 with 4', { op: 'matmul' });
 * if (!isTfError(error, 'ShapeError') || error.code !== 'TF_SHAPE') throw new Error('unexpected');
 */
export class TfError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly fields: ErrorFields;

  constructor(name: ErrorName, message: string, fields: ErrorFields = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
    this.code = errorTable[name].code;
    this.kind = errorTable[name].kind;
    this.fields = fields;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** Whether a thrown value is a tf error (of the given name), whichever copy of `@tf/core` made it. */
export function isTfError(thrown: unknown, name?: ErrorName): thrown is TfError {
  if (typeof thrown !== 'object' || thrown === null || !(marker in thrown)) return false;
  return name === undefined || (thrown as { name?: unknown }).name === name;
}

/** Throws an `InvariantError` when one of tf's own rules is broken. */
export function invariant(condition: unknown, message: string, fields: ErrorFields = {}): asserts condition {
  if (!condition) throw new TfError('InvariantError', `${message}. This is a fault of tf: please report it.`, fields);
}
