/** Whether two types are the same, not only assignable to each other. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `isType<Expected>()(value)` compiles only when the value has exactly that type. */
export function isType<E>(): <A>(value: A, ...proof: Same<A, E> extends true ? [] : [never]) => void {
  return () => {};
}
