/**
 * One HTTP exchange: sends a request and returns the answer, or the reason why there is none.
 *
 * Invariants: a request is sent at most once; every exchange ends by its deadline; network errors
 * become outcomes; `not-sent` is returned only with proof that no byte of the request was sent.
 */
import { Pool } from 'undici';
import type { Timers } from '../runtime/timers.ts';
import { checkedAddress } from './address.ts';
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

export type HttpOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names in lower case; a repeated header has its first value. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | {
      readonly kind: 'no-answer';
      readonly reason: string;
      /** Status and headers, if they arrived before the failure. */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type Http = {
  readonly exchange: (request: HttpRequest) => Promise<HttpOutcome>;
  /** Ends all connections; pending exchanges end as `no-answer`. */
  readonly close: () => Promise<void>;
};

export type HttpOptions = {
  readonly baseUrl: string;
  readonly timers: Timers;
  /** 2 s unless given. */
  readonly connectTimeoutMs?: number;
  /** 16 unless given. More exchanges wait for a free connection. */
  readonly connectionsMax?: number;
  /** An additional certificate authority to trust, as PEM text. */
  readonly certificateAuthority?: string;
};

/** As many as a bot's calls in flight, so that a cancel does not wait behind orders. */
const connectionsDefault = 16;
const headerBytesMax = 16_384;
const responseBytesMaxOfAll = 64 * 1024 * 1024;

/** Returns the connection pool of one base address. Throws ConfigError for an unsafe address. */
export function createHttp(options: HttpOptions): Http {
  const { origin, pathPrefix } = checkedAddress(options.baseUrl, 'https', 'base address');
  const pool = new Pool(origin, {
    connections: options.connectionsMax ?? connectionsDefault,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    maxResponseSize: responseBytesMaxOfAll,
    connect: {
      timeout: options.connectTimeoutMs ?? 2_000,
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
      rejectUnauthorized: true,
      ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
    },
  });
  let isClosed = false;
  return {
    exchange: async (request) =>
      isClosed
        ? { kind: 'not-sent', reason: 'client is closed' }
        : exchange(pool, { origin, pathPrefix }, options.timers, request),
    close: () => {
      isClosed = true;
      return pool.destroy();
    },
  };
}

async function exchange(
  pool: Pool,
  { origin, pathPrefix }: { readonly origin: string; readonly pathPrefix: string },
  timers: Timers,
  request: HttpRequest,
): Promise<HttpOutcome> {
  const controller = new AbortController();
  let isLate = false;
  const cancelDeadline = timers.after(request.deadlineMs, () => {
    isLate = true;
    controller.abort();
  });
  const failure = (error: unknown): string =>
    isLate ? `no answer within ${request.deadlineMs} ms` : reasonOf(error);
  try {
    const response = await pool.request({
      method: request.method,
      path: `${pathPrefix}${request.path}`,
      headers: request.headers,
      body: request.body ?? null,
      signal: controller.signal,
      // The deadline above ends every exchange; undici's timeouts would only hide the reason.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const status = response.statusCode;
    const headers = firstValues(response.headers);
    // Without a listener, an error after the body has been read would end the process.
    response.body.on('error', () => {});
    try {
      const body = await readBody(response.body, request.responseBytesMax);
      if (body !== undefined) return { kind: 'answer', status, headers, body };
      const reason = `answer is larger than ${request.responseBytesMax} bytes`;
      return { kind: 'no-answer', reason, status, headers };
    } catch (error) {
      return { kind: 'no-answer', reason: `cut off: ${failure(error)}`, status, headers };
    }
  } catch (error) {
    return !isLate && isProofOfNotSent(error)
      ? { kind: 'not-sent', reason: `no connection to ${origin}: ${reasonOf(error)}` }
      : { kind: 'no-answer', reason: failure(error) };
  } finally {
    cancelDeadline();
  }
}

/** Returns the whole body, or undefined if it is larger than `bytesMax`. */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop destroys the stream, and the connection with it.
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function firstValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const first: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name] = text;
  }
  return first;
}
