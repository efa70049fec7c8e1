/**
 * Connections to one address: sends a request and returns the answer, or the reason why there is
 * none.
 *
 * What ends one connection without a word (a route that changes, a balancer that forgets it) has
 * mostly ended the others. So when a request finds no answer, the requests that follow use new
 * connections; those in progress go on, and idle connections are closed.
 *
 * Invariants: a request is sent at most once; every exchange ends by its deadline; network errors
 * become outcomes; `not-sent` is returned only with proof that no byte of the request was sent.
 */
import { buildConnector, Pool } from 'undici';
import type { Timers } from '../../../runtime/timers.ts';
import { checkedAddress } from './address.ts';
import { createHttpExchange, type HttpOutcome, type HttpRequest } from './http-exchange.ts';

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
/**
 * For how long an idle connection is kept if the server does not say for how long it keeps it, as
 * those before exchanges rarely do: they keep it for a minute or more. A bot reads its ledgers
 * every 5 to 25 s, so an order on a quiet line finds a connection that is open.
 */
const idleMsMax = 30_000;
const headerBytesMax = 16_384;
const responseBytesMaxOfAll = 64 * 1024 * 1024;

/** Returns the connection pool of one base address. Throws ConfigError for an unsafe address. */
export function createHttp(options: HttpOptions): Http {
  const { origin, pathPrefix } = checkedAddress(options.baseUrl, 'https', 'base address');
  // One for all pools: it keeps the TLS sessions, which a new connection continues.
  const connect = buildConnector({
    timeout: options.connectTimeoutMs ?? 2_000,
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
    ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
  });
  const openPool = (): Pool =>
    new Pool(origin, {
      connections: options.connectionsMax ?? connectionsDefault,
      pipelining: 1,
      keepAliveTimeout: idleMsMax,
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      maxResponseSize: responseBytesMaxOfAll,
      connect,
    });
  let pool = openPool();
  /** Pools whose last requests are still in progress. */
  const leaving = new Set<Pool>();
  const leave = (left: Pool): void => {
    leaving.add(left);
    void left.close().finally(() => leaving.delete(left));
  };
  let isClosed = false;
  return {
    exchange: (request) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ kind: 'not-sent', reason: 'client is closed' });
        const { timers } = options;
        const used = pool;
        const onEnd = (outcome: HttpOutcome): void => {
          const isLost = outcome.kind === 'no-answer' && outcome.status === undefined;
          if (isLost && used === pool && !isClosed) {
            pool = openPool();
            leave(used);
          }
          resolve(outcome);
        };
        used.dispatch(
          {
            method: request.method,
            path: `${pathPrefix}${request.path}`,
            headers: request.headers,
            body: request.body ?? null,
            // The deadline ends every exchange; undici's timeouts would only hide the reason.
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          createHttpExchange({ request, origin, timers, onEnd }),
        );
      }),
    close: async () => {
      isClosed = true;
      await Promise.all([pool, ...leaving].map((one) => one.destroy()));
    },
  };
}
