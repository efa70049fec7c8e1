/** The assumptions of a paper run, and figures that show how far its result can be trusted. */
import type { PaperSettings } from '../../domain/bot-settings.ts';
import { assert } from '../../domain/errors.ts';
import type { FeeRates, Latency } from '../../domain/trading-conditions.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';

export type PaperMarketFigures = {
  readonly pair: string;
  readonly fees: FeeRates;
  /** Trades and orders of others that our fills would have displaced in the real market. */
  readonly displacedTrades: number;
  readonly displacedOrders: number;
  readonly takenOrders: number;
  /** How often the stream was lost, and what became of our resting orders' queue positions. */
  readonly gaps: number;
  readonly keptPlaces: number;
  readonly wentBehind: number;
};

type Latencies = { readonly latencies: PaperSettings['latencies'] };

/** For one market its figures beside the latencies, for several markets a list. */
export type PaperFigures =
  | (PaperMarketFigures & Latencies)
  | (Latencies & { readonly markets: readonly PaperMarketFigures[] });

export function paperFiguresOf(
  latencies: PaperSettings['latencies'],
  markets: readonly PaperMarketFigures[],
): PaperFigures {
  const [first, ...others] = markets;
  return first !== undefined && others.length === 0
    ? { ...first, latencies }
    : { latencies, markets };
}

export function marketFiguresOf(accountMarket: AccountMarket, fees: FeeRates): PaperMarketFigures {
  const { counts, history } = accountMarket.replay;
  assert(history.kind === 'orders', 'paper trading follows a stream of orders');
  const { displacedTrades, displacedOrders, takenOrders } = counts;
  const { count: gaps, kept: keptPlaces, wentBehind } = history.gaps;
  const places = { gaps, keptPlaces, wentBehind };
  const { pair } = accountMarket.market;
  return { pair, fees, displacedTrades, displacedOrders, takenOrders, ...places };
}

export function paperLines(figures: PaperFigures): readonly string[] {
  const { feedUs, request, answer } = figures.latencies;
  return [
    'PAPER TRADING: orders were simulated against the live market; no order was sent',
    `assumed latencies    feed ${feedUs / 1000} ms, request ${latencyText(request)}, answer ${latencyText(answer)}`,
    ...('markets' in figures
      ? figures.markets.flatMap((market) => marketLines(market, `${market.pair}: `))
      : marketLines(figures, '')),
  ];
}

function marketLines(figures: PaperMarketFigures, name: string): readonly string[] {
  const { fees, displacedTrades, displacedOrders, takenOrders } = figures;
  return [
    `assumed fees         ${name}${fees.maker} maker, ${fees.taker} taker`,
    `market impact        ${name}ignored, for ${displacedTrades} trades and ${displacedOrders} orders that ours met, and ${takenOrders} that ours took`,
    `stream lost          ${name}${figures.gaps} times; resting orders: ${figures.keptPlaces} kept their queue position, ${figures.wentBehind} lost it`,
  ];
}

function latencyText(latency: Latency): string {
  if (latency.kind === 'fixed') return `${latency.us / 1000} ms`;
  if (latency.kind === 'between') return `${latency.fromUs / 1000} to ${latency.toUs / 1000} ms`;
  return `${latency.samplesUs.length} measured values`;
}
