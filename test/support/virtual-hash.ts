/** The hash of a run: two runs that have the same one wrote the same journals, line by line. */
import { createHash } from 'node:crypto';

const charactersAtOnce = 65_536;

/** Invariant: the digest is that of all texts in a row, however they were divided. */
export class RunHash {
  readonly #hash = createHash('sha256');
  /** Text whose turn it is: many lines at once are hashed for the price of a few. */
  #waiting = '';

  add(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= charactersAtOnce) this.#flush();
  }

  /** Returns the digest; nothing may be added after that. */
  digest(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#waiting);
    this.#waiting = '';
  }
}
