import { expect, it } from 'vitest';

it('runs a using declaration on this Node', () => {
  const seen: string[] = [];
  {
    using held = { [Symbol.dispose]: () => void seen.push('disposed') };
    void held;
    seen.push('inside');
  }
  expect(seen).toEqual(['inside', 'disposed']);
});
