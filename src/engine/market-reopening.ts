/**
 * Opens a market again that the exchange refused an order for: the list of markets is read until
 * it says ACTIVE, then everything is compared once: a refusal may have been wrong about an order.
 *
 * The stream's status is not enough: it comes only when it changes, and some refusals (a quote that
 * is active, an account that moves) have nothing to do with it.
 */
import { call, type Procedure, wait } from '../execution/requests/procedure.ts';
import { marketStatusOf } from '../market/feed/market-status.ts';
import type { EngineMarket } from './engine-market.ts';

const lookEveryMs = 10_000;

/** Reads the market's status until it is open; then calls `opened`. */
export function* reopenMarket(market: EngineMarket, opened: () => void): Procedure {
  const { pair } = market.market;
  while (market.isClosed) {
    yield* wait(lookEveryMs);
    const reply = yield* call({
      lane: 'read',
      operation: 'markets',
      parameters: () => ({ pair: [pair] }),
    });
    if (reply.kind !== 'ok') continue;
    const listed = reply.body.markets.find(({ market_id: id }) => id === pair);
    if (listed !== undefined) market.noteStatus(marketStatusOf(listed.trading_status));
  }
  opened();
}
