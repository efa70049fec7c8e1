/**
 * Reopens a market that was closed because the exchange refused an order. The list of markets is
 * read until it says ACTIVE; then the caller compares everything with the exchange once.
 *
 * The stream's status is not enough: it is sent only when it changes, and some refusals (a quote
 * that is active, an account that is being moved) do not change it.
 */
import { call, type Procedure, wait } from '../execution/requests/procedure.ts';
import type { EngineMarket } from './engine-market.ts';

const readEveryMs = 10_000;

/** Reads the market's status until it is ACTIVE; then calls `opened`. */
export function* reopenMarket(market: EngineMarket, opened: () => void): Procedure {
  const { pair } = market.market;
  while (market.isClosed) {
    yield* wait(readEveryMs);
    const reply = yield* call({
      priority: 'read',
      request: () => ({ kind: 'markets', pairs: [pair] }),
    });
    if (reply.kind !== 'ok') continue;
    const listed = reply.value.rows.find((one) => one.pair === pair);
    if (listed !== undefined) market.noteStatus(listed.status);
  }
  opened();
}
