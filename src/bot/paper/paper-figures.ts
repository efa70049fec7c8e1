/** What a run in mode paper pretended, and how far it can be believed. */
import type { PaperSettings } from '../../domain/bot-settings.ts';
import type { FeeRates, Latency } from '../../domain/trading-conditions.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';

/** Of one market. */
export type PaperMarketFigures = {
  readonly pair: string;
  readonly fees: FeeRates;
  /** Our fills that history gave to others, who would have gone on otherwise. */
  readonly displacedTrades: number;
  readonly displacedOrders: number;
  readonly takenOrders: number;
  /** Times the stream was lost, and our orders that rested through it. */
  readonly gaps: number;
  readonly keptPlaces: number;
  readonly wentBehind: number;
};

type Latencies = { readonly latencies: PaperSettings['latencies'] };

/** A run of one market has the figures of it beside the latencies, others a list. */
export type PaperFigures =
  | (PaperMarketFigures & Latencies)
  | (Latencies & { readonly markets: readonly PaperMarketFigures[] });

/** Returns the figures of the markets that were traded. */
export function paperFiguresOf(
  latencies: PaperSettings['latencies'],
  markets: readonly PaperMarketFigures[],
): PaperFigures {
  const [first, ...others] = markets;
  return first !== undefined && others.length === 0
    ? { ...first, latencies }
    : { latencies, markets };
}

/** Returns the figures of a market so far. */
export function marketFiguresOf(accountMarket: AccountMarket, fees: FeeRates): PaperMarketFigures {
  const { counts, gaps } = accountMarket.fillModel;
  const { displacedTrades, displacedOrders, takenOrders } = counts;
  const places = { gaps: gaps.count, keptPlaces: gaps.kept, wentBehind: gaps.wentBehind };
  const { pair } = accountMarket.market;
  return { pair, fees, displacedTrades, displacedOrders, takenOrders, ...places };
}

/** What a person must know of the figures of a paper run. */
export function pretendedLines(figures: PaperFigures): readonly string[] {
  const { feedUs, request, answer } = figures.latencies;
  return [
    'PRETENDED: orders stood in the real market only here; no order left this machine',
    `pretended latencies  feed ${feedUs / 1000} ms, request ${latencyText(request)}, answer ${latencyText(answer)}`,
    ...('markets' in figures
      ? figures.markets.flatMap((market) => marketLines(market, `${market.pair}: `))
      : marketLines(figures, '')),
  ];
}

function marketLines(figures: PaperMarketFigures, name: string): readonly string[] {
  const { fees, displacedTrades, displacedOrders, takenOrders } = figures;
  return [
    `pretended fees       ${name}${fees.maker} maker, ${fees.taker} taker`,
    `the market went on   ${name}although ours met ${displacedTrades} trades and ${displacedOrders} orders of it, and took ${takenOrders}`,
    `stream lost          ${name}${figures.gaps} times; orders through it: ${figures.keptPlaces} kept their place, ${figures.wentBehind} went behind`,
  ];
}

function latencyText(latency: Latency): string {
  if (latency.kind === 'fixed') return `${latency.us / 1000} ms`;
  if (latency.kind === 'between') return `${latency.fromUs / 1000} to ${latency.toUs / 1000} ms`;
  return `${latency.samplesUs.length} measurements`;
}
