/**
 * Wrong tokens of the control interface: counted, told of, and refused without a look once there
 * are many. A right one is always let through, so that nobody can lock its owner out.
 */

export type TokenVerdict = 'right' | 'wrong' | 'too-many';

/** So many wrong tokens a minute are answered one by one. */
const wrongMax = 10;
const windowMs = 60_000;

export class TokenGuard {
  readonly #isRight: (authorization: string | undefined) => boolean;
  readonly #nowMs: () => number;
  readonly #tell: (text: string) => void;
  #windowMs = Number.NEGATIVE_INFINITY;
  #wrong = 0;

  /** `nowMs` is of a clock that nobody sets; `tell` gets a line for a person. */
  constructor(options: {
    readonly isRight: (authorization: string | undefined) => boolean;
    readonly nowMs: () => number;
    readonly tell: (text: string) => void;
  }) {
    this.#isRight = options.isRight;
    this.#nowMs = options.nowMs;
    this.#tell = options.tell;
  }

  /** Returns what a request with this header is answered with; counts it if it is wrong. */
  judge(authorization: string | undefined): TokenVerdict {
    if (this.#isRight(authorization)) return 'right';
    if (this.#nowMs() - this.#windowMs >= windowMs) {
      this.#windowMs = this.#nowMs();
      this.#wrong = 0;
    }
    this.#wrong++;
    if (this.#wrong === 1)
      this.#tell(
        authorization === undefined
          ? 'a request to the control interface had no token'
          : 'a request to the control interface had a wrong token',
      );
    if (this.#wrong === wrongMax + 1)
      this.#tell(
        `more than ${wrongMax} requests with a wrong token within a minute: the rest of it they are answered 429`,
      );
    return this.#wrong > wrongMax ? 'too-many' : 'wrong';
  }
}
