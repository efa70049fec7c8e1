/**
 * The intents that a strategy emits most, made by functions, so that a stream of them needs no type
 * annotation. The bot checks intents when they are emitted, however they were made.
 */
import type { Intent, QuotedOrder } from '../../domain/intent.ts';
import type { MarketTerms, Terms } from '../../domain/order.ts';
import { refuseArgument } from '../argument.ts';

type OfKind<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>;

/** What an intent may have beside what every one of its kind has. */
type Options<Kind extends 'quote' | 'place'> = Omit<
  OfKind<Kind>,
  'kind' | 'pair' | 'key' | 'orders' | 'terms' | 'reason'
>;

/** What an intent is about: a `MarketContext`, for example. */
type Pair = { readonly pair: string };

function pairOf(call: string, market: Pair): string {
  const pair: unknown = (market as Pair | undefined)?.pair;
  if (typeof pair === 'string') return pair;
  return refuseArgument([call, 'market'], 'a market, such as context.pairs[0]', market);
}

/** Returns a `quote` intent: these orders should rest on the pair, and no others of a quote. */
export function quote(
  market: Pair,
  orders: readonly QuotedOrder[],
  reason: string,
  options: Options<'quote'> = {},
): OfKind<'quote'> {
  return { ...options, kind: 'quote', pair: pairOf('quote', market), orders, reason };
}

/** Returns a `place` intent: one order, whose key must be new. */
export function place(
  market: Pair,
  key: string,
  terms: Terms | MarketTerms,
  reason: string,
  options: Options<'place'> = {},
): OfKind<'place'> {
  return { ...options, kind: 'place', pair: pairOf('place', market), key, terms, reason };
}

/** Returns a `cancel` intent: ends the order with this key. */
export function cancel(market: Pair, key: string, reason: string): OfKind<'cancel'> {
  return { kind: 'cancel', pair: pairOf('cancel', market), key, reason };
}
