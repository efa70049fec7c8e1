/** An intent as one line, for tests that compare lines and for the messages of matchers. */
import type { Intent } from '../domain/intent.ts';
import { formatLots, formatTicks, type Scales } from '../domain/market.ts';
import { decimalOf, formatDecimal } from '../domain/money.ts';
import { isMarketTerms, type MarketTerms, stopOf, type Terms } from '../domain/order.ts';

/** Returns the intent's kind, pair, orders and reason. `pairs` has the decimals of each pair. */
export function intentText(intent: Intent, pairs: Readonly<Record<string, Scales>>): string {
  if (intent.kind === 'remember') {
    const slot = intent.slot === undefined ? '' : `${intent.slot} `;
    return `remember ${slot}${JSON.stringify(intent.state)}`;
  }
  if (intent.kind === 'done') return `done (${intent.reason})`;
  const { kind, pair, reason } = intent;
  const scales = pairs[pair];
  const what =
    kind === 'quote'
      ? `${intent.part === undefined ? '' : ` of ${intent.part}`}: ${intent.orders.map((order) => termsText(order, scales)).join(', ') || 'nothing'}`
      : kind === 'place'
        ? ` ${intent.key}: ${termsText(intent.terms, scales)}${intent.reduceOnly === true ? ' reduce-only' : ''}${expiryText(intent.expiresMs)}`
        : kind === 'cancel'
          ? ` ${intent.key}`
          : intent.part === undefined
            ? ''
            : ` of ${intent.part}`;
  return `${kind} ${pair}${what} (${reason})`;
}

function expiryText(expiresMs: number | undefined): string {
  return expiresMs === undefined ? '' : ` expires ${new Date(expiresMs).toISOString()}`;
}

function termsText(terms: Terms | MarketTerms, scales: Scales | undefined): string {
  if (isMarketTerms(terms)) {
    if (terms.side === 'BID') return `BID for ${plain(String(terms.spend))} at market`;
    const { volume } = terms;
    const size = scales === undefined ? `${volume} lots` : plain(formatLots(volume, scales));
    return `ASK ${size} at market`;
  }
  const { side, price, volume, timeInForce = 'GTC', postOnly } = terms;
  const stop = stopOf(terms);
  const amounts =
    scales === undefined
      ? `${volume} lots at ${price} ticks`
      : `${plain(formatLots(volume, scales))} at ${plain(formatTicks(price, scales))}`;
  const kind = timeInForce === 'GTC' ? '' : ` ${timeInForce}`;
  const text = `${side} ${amounts}${kind}${postOnly === true ? ' post-only' : ''}`;
  if (stop === undefined) return text;
  const stopPrice =
    scales === undefined ? `${stop.price} ticks` : plain(formatTicks(stop.price, scales));
  return `${text} stop ${stop.direction} ${stopPrice}`;
}

/** A decimal text without zeros at its end, as a test writes it. */
function plain(text: string): string {
  return formatDecimal(decimalOf(text));
}
