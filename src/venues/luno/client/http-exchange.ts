/**
 * One request and its answer, collected as it arrives.
 *
 *     queued ─▶ sent ─▶ status and headers ─▶ body ─▶ ended       the deadline ends it anywhere
 *
 * Invariants: it ends once, at its deadline at the latest; a request that ended while it was queued
 * is not sent.
 */
import type { Dispatcher } from 'undici';
import type { Timers } from '../../../runtime/timers.ts';
import { isProofOfNotSent, reasonOf } from './network-error.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, relative to the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Time for the whole exchange, including queueing and connecting. */
  readonly deadlineMs: number;
  /** A larger body counts as no answer. */
  readonly responseBytesMax: number;
};

/** Names in lower case; a repeated header has a list of values. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type HttpOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: HttpHeaders;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | {
      readonly kind: 'no-answer';
      readonly reason: string;
      /** Status and headers, if they arrived before the failure. */
      readonly status?: number;
      readonly headers?: HttpHeaders;
    };

type Controller = Dispatcher.DispatchController;
type Head = Pick<Extract<HttpOutcome, { kind: 'answer' }>, 'status' | 'headers'>;

export type HttpExchangeOptions = {
  readonly request: HttpRequest;
  /** For messages. */
  readonly origin: string;
  readonly timers: Timers;
  readonly onEnd: (outcome: HttpOutcome) => void;
};

/** Returns the handler of one request for undici; the deadline counts from now. */
export function createHttpExchange(options: HttpExchangeOptions): Dispatcher.DispatchHandler {
  return new HttpExchange(options);
}

class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #origin: string;
  readonly #onEnd: (outcome: HttpOutcome) => void;
  readonly #cancelDeadline: () => void;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #head: Head | undefined;
  #controller: Controller | undefined;
  #isEnded = false;

  constructor({ request, origin, timers, onEnd }: HttpExchangeOptions) {
    this.#request = request;
    this.#origin = origin;
    this.#onEnd = onEnd;
    this.#cancelDeadline = timers.after(request.deadlineMs, () => {
      this.#fail(`no answer within ${request.deadlineMs} ms`);
      this.#controller?.abort(new Error('deadline'));
    });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isEnded) controller.abort(new Error('deadline'));
  }

  onResponseStart(_controller: Controller, status: number, headers: HttpHeaders): void {
    // An interim answer such as 103 precedes the answer itself.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    const { responseBytesMax } = this.#request;
    this.#length += chunk.length;
    if (this.#length > responseBytesMax) {
      const reason = `answer is larger than ${responseBytesMax} bytes`;
      this.#end({ kind: 'no-answer', reason, ...this.#head });
      // Undici then destroys the connection.
      throw new Error(reason);
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const isWhole = first !== undefined && first.length === this.#length;
    const body = isWhole ? first : Buffer.concat(this.#chunks, this.#length);
    if (this.#head !== undefined) this.#end({ kind: 'answer', ...this.#head, body });
  }

  onResponseError(_controller: Controller | null, error: unknown): void {
    if (this.#head === undefined && isProofOfNotSent(error)) {
      const reason = `no connection to ${this.#origin}: ${reasonOf(error)}`;
      this.#end({ kind: 'not-sent', reason });
    } else this.#fail(reasonOf(error));
  }

  #fail(reason: string): void {
    const isCutOff = this.#head !== undefined;
    this.#end({
      kind: 'no-answer',
      reason: isCutOff ? `cut off: ${reason}` : reason,
      ...this.#head,
    });
  }

  #end(outcome: HttpOutcome): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#cancelDeadline();
    this.#onEnd(outcome);
  }
}
