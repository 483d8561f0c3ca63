import { isTfError, TfError } from '../errors.ts';

/** Reads a text from left to right; spaces and line breaks between tokens mean nothing. */
export class TextCursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the next token begins. */
  position(): number {
    this.#skip();
    return this.#at;
  }

  sees(token: string): boolean {
    return this.#text.startsWith(token, this.position());
  }

  /** Passes over the token if it comes next. */
  take(token: string): boolean {
    if (!this.sees(token)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fault(JSON.stringify(token));
  }

  /** What the pattern (sticky) matches here, or undefined. */
  maybe(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position();
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  match(pattern: RegExp, expected: string): string {
    const found = this.maybe(pattern);
    if (found === undefined) throw this.fault(expected);
    return found;
  }

  /** Items separated by commas, up to and including `close`. */
  list<T>(close: string, item: () => T): readonly T[] {
    const items: T[] = [];
    if (this.take(close)) return items;
    for (;;) {
      items.push(item());
      if (this.take(close)) return items;
      if (!this.take(',')) throw this.fault(`"," or ${JSON.stringify(close)}`);
    }
  }

  end(): void {
    if (this.position() < this.#text.length) throw this.fault('the end of the text');
  }

  /** Turns an error of `read` into one at this place. */
  guard<T>(what: string, at: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isTfError(error)) throw error;
      throw this.fault(`${what} (${error.message})`, at, error);
    }
  }

  /** What to throw when something else was expected at a position (here). */
  fault(expected: string, at: number = this.position(), cause?: unknown): TfError {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    const found = /[^\n]{0,20}/y.exec(this.#text.slice(at))?.[0] ?? '';
    const message = `Line ${line}, column ${column}: expected ${expected}${found === '' ? ', got the end' : `, at ${JSON.stringify(found)}`}.`;
    return new TfError('ParseError', message, { line, column, expected }, cause === undefined ? undefined : { cause });
  }

  #skip(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at++;
    }
  }
}
