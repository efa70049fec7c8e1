/**
 * Guards a server of ours against wrong tokens: counts them, warns about them, and answers 429 when
 * there are too many. The right token is always accepted, so that nobody can lock its owner out.
 */

export type TokenVerdict = 'right' | 'wrong' | 'too-many';

/** Wrong tokens per minute that are answered 401. Further ones are answered 429. */
const wrongMax = 10;
const windowMs = 60_000;

export class TokenGuard {
  readonly #what: string;
  readonly #isRight: (token: string | undefined) => boolean;
  readonly #nowMs: () => number;
  readonly #warn: (text: string) => void;
  #windowMs = Number.NEGATIVE_INFINITY;
  #wrong = 0;

  /**
   * `what` is guarded, such as "the control interface"; `nowMs` reads a monotonic clock; `warn`
   * receives a line for the operator, without the token.
   */
  constructor(options: {
    readonly what: string;
    readonly isRight: (token: string | undefined) => boolean;
    readonly nowMs: () => number;
    readonly warn: (text: string) => void;
  }) {
    this.#what = options.what;
    this.#isRight = options.isRight;
    this.#nowMs = options.nowMs;
    this.#warn = options.warn;
  }

  /** Judges the token of a request, and counts it if it is wrong. */
  judge(token: string | undefined): TokenVerdict {
    if (this.#isRight(token)) return 'right';
    if (this.#nowMs() - this.#windowMs >= windowMs) {
      this.#windowMs = this.#nowMs();
      this.#wrong = 0;
    }
    this.#wrong++;
    if (this.#wrong === 1)
      this.#warn(
        `a request to ${this.#what} had ${token === undefined ? 'no token' : 'a wrong token'}`,
      );
    if (this.#wrong === wrongMax + 1)
      this.#warn(
        `more than ${wrongMax} requests to ${this.#what} with a wrong token within a minute: until it ends, they are answered 429`,
      );
    return this.#wrong > wrongMax ? 'too-many' : 'wrong';
  }
}
