/** Reports what a strategy quotes on a pair, when that has changed. */
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { EngineServices } from '../engine-services.ts';
import { plain } from '../strategy-order.ts';
import type { QuoteIntent, QuoteTarget } from './quote-target.ts';

export function announceQuote(
  context: EngineServices,
  target: QuoteTarget,
  reason: string,
  market: Market | undefined,
): void {
  const quote = target.quotes.wanted;
  if (quote === undefined) return;
  const { orders } = quote;
  const wants = `${target.strategyId} ${target.pair} wants ${describe(quote, market)}`;
  // Only where nothing is wanted does the reason say more than the prices.
  const text = orders.length === 0 ? `${wants} (${reason})` : wants;
  if (text === target.quoteAnnounced) return;
  target.quoteAnnounced = text;
  const detail = orders.length === 0 ? {} : { detail: reason };
  context.notice({ level: 'info', topic: 'quote', text, ...detail });
}

function describe({ orders }: QuoteIntent, market: Market | undefined): string {
  if (market === undefined || orders.length === 0) return 'nothing';
  return orders
    .map(
      ({ side, price, volume }) =>
        `${side} ${plain(formatLots(volume, market))} at ${formatTicks(price, market)}`,
    )
    .join(', ');
}
