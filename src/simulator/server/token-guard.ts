/**
 * Guards the control interface against wrong tokens: counts them, warns about them, and answers 429
 * when there are too many. The right token is always accepted, so that nobody can lock its owner
 * out.
 */

export type TokenVerdict = 'right' | 'wrong' | 'too-many';

/** Wrong tokens per minute that are answered 401. Further ones are answered 429. */
const wrongMax = 10;
const windowMs = 60_000;

export class TokenGuard {
  readonly #isRight: (authorization: string | undefined) => boolean;
  readonly #nowMs: () => number;
  readonly #warn: (text: string) => void;
  #windowMs = Number.NEGATIVE_INFINITY;
  #wrong = 0;

  /** `nowMs` reads a monotonic clock; `warn` receives a line for the operator. */
  constructor(options: {
    readonly isRight: (authorization: string | undefined) => boolean;
    readonly nowMs: () => number;
    readonly warn: (text: string) => void;
  }) {
    this.#isRight = options.isRight;
    this.#nowMs = options.nowMs;
    this.#warn = options.warn;
  }

  /** Judges the authorization header of a request, and counts it if it is wrong. */
  judge(authorization: string | undefined): TokenVerdict {
    if (this.#isRight(authorization)) return 'right';
    if (this.#nowMs() - this.#windowMs >= windowMs) {
      this.#windowMs = this.#nowMs();
      this.#wrong = 0;
    }
    this.#wrong++;
    if (this.#wrong === 1)
      this.#warn(
        authorization === undefined
          ? 'a request to the control interface had no token'
          : 'a request to the control interface had a wrong token',
      );
    if (this.#wrong === wrongMax + 1)
      this.#warn(
        `more than ${wrongMax} requests with a wrong token within a minute: until it ends, they are answered 429`,
      );
    return this.#wrong > wrongMax ? 'too-many' : 'wrong';
  }
}
