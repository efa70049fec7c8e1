/** Builds the host of each strategy with the engine's live views. */

import { wholeLotsOf } from '../domain/amount.ts';
import { assert } from '../domain/errors.ts';
import { Decimal, decimalOf, type Lots } from '../domain/money.ts';
import { addLots, noLots, subtractLots } from '../domain/ticks-and-lots.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { Exposure } from '../risk/exposure.ts';
import { createSeededRandom } from '../runtime/seeded-random.ts';
import { StrategyHost } from '../strategy/host.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { MarketAccess } from '../strategy/market-context.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineStart } from './engine-start.ts';
import { ownOrderOf } from './strategy-order.ts';
import type { RunnerStrategy } from './strategy-runner.ts';

const amountPerUnit = new Decimal(10).pow(18);

/** Returns a host per configured strategy, in the order of the settings. */
export function createHosts(parts: {
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly orders: OrderStates;
  readonly exposure: Exposure;
}): readonly RunnerStrategy[] {
  const { start, plugins } = parts;
  return start.settings.strategies.map((settings) => {
    const plugin = plugins.get(settings.id);
    assert(plugin !== undefined, `strategy ${settings.id} has no plugin`);
    const stored = start.restored.strategyStates.find((one) => one.strategyId === settings.id);
    const random = createSeededRandom(`${start.seed} ${settings.id}`);
    const host = new StrategyHost({
      settings,
      strategy: plugin.strategy,
      parameters: plugin.parameters,
      markets: new Map(settings.pairs.map((pair) => [pair, accessOf(pair, settings, parts)])),
      random: () => random.next(),
      state: stored === undefined ? undefined : JSON.parse(stored.state),
      startMs: Math.floor(start.startedMicros / 1000),
    });
    return { settings, host };
  });
}

function accessOf(
  pair: string,
  settings: RunnerStrategy['settings'],
  parts: Parameters<typeof createHosts>[0],
): MarketAccess {
  const engineMarket = parts.markets.get(pair);
  assert(engineMarket !== undefined, `strategy ${settings.id} trades ${pair}, which has no market`);
  const { market } = engineMarket;
  const { exposure, orders } = parts;
  const { history = [] } = parts.start;
  const own = history.find((one) => one.strategyId === settings.id && one.pair === pair);
  return {
    market,
    fees: engineMarket.fees,
    history: own?.candles ?? [],
    top: () => engineMarket.top,
    volumeAt: (side, price) => engineMarket.feed.book?.volumeAt(side, price) ?? noLots,
    position: (strategyId) => {
      const worst = exposure.position(strategyId, pair);
      const provisional = provisionalLots(orders, strategyId, pair);
      const booked = wholeLotsOf(worst.base, market);
      const averagePrice =
        booked === 0 ? undefined : exposure.trades.averagePrice(strategyId, pair, worst.base);
      return {
        base: addLots(booked, provisional),
        highest: wholeLotsOf(worst.highest, market),
        lowest: wholeLotsOf(worst.lowest, market),
        ...(averagePrice !== undefined && { averagePrice }),
      };
    },
    orders: (strategyId) => {
      const own = [];
      for (const order of orders.tracker.live)
        if (order.strategyId === strategyId && order.pair === pair) own.push(ownOrderOf(order));
      return own;
    },
    available: (strategyId, currency) => {
      const budget = decimalOf(settings.budget[currency] ?? '0');
      const flow = new Decimal(exposure.strategyFlow(strategyId, currency).lowest.toString());
      const left = Decimal.max(0, budget.plus(flow.div(amountPerUnit)));
      const free = exposure.free(currency);
      if (free === undefined) return left;
      return Decimal.max(0, Decimal.min(left, new Decimal(free.toString()).div(amountPerUnit)));
    },
  };
}

/** Fills that only a stream has told so far, signed. */
function provisionalLots(orders: OrderStates, strategyId: string, pair: string): Lots {
  let lots = noLots;
  for (const order of orders.tracker.live) {
    if (order.strategyId !== strategyId || order.pair !== pair) continue;
    const { filledLots, bookedLots, terms } = order;
    lots =
      terms.side === 'BID'
        ? addLots(lots, subtractLots(filledLots, bookedLots))
        : addLots(lots, subtractLots(bookedLots, filledLots));
  }
  return lots;
}
