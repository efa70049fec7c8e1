/** Why the replay exchange refuses a request: what that proves, and a sentence for people. */
import type { Reason, Refusal } from '../../venue/venue-reply.ts';
import type { FailedOrderCheck } from './replay-order-rules.ts';

export type RefusalCode =
  | FailedOrderCheck
  | 'market-unknown'
  | 'not-open'
  | 'not-found'
  | 'throttled';

const refusals: Readonly<Record<RefusalCode, readonly [reason: Reason, text: string]>> = {
  'market-closed': ['market-closed', 'the market accepts no orders now'],
  'market-post-only': ['market-closed', 'the market accepts only post-only orders now'],
  'market-unknown': ['market-closed', 'the account has no such market'],
  expired: ['expired', 'it came after its time to live'],
  'ttl-outside': ['rejected', 'the exchange takes no such time to live'],
  'id-used': ['exists', 'there is an order with this id'],
  'id-too-long': ['rejected', 'the id is longer than the exchange takes'],
  'kind-not-taken': ['rejected', 'the exchange takes no such orders'],
  'post-only-time-in-force': ['rejected', 'only a GTC order can be post-only'],
  'price-not-positive': ['rejected', 'the price must be above 0'],
  'price-below-minimum': ['rejected', "the price is below the market's minimum"],
  'price-above-maximum': ['rejected', "the price is above the market's maximum"],
  'volume-not-positive': ['rejected', 'the volume must be above 0'],
  'volume-below-minimum': ['rejected', "the volume is below the market's minimum"],
  'volume-above-maximum': ['rejected', "the volume is above the market's maximum"],
  'stop-price-outside': ['rejected', "the stop price is outside the market's limits"],
  'account-unknown': ['rejected', 'there is no such account'],
  'account-currency': ['rejected', 'the account holds another currency'],
  'insufficient-funds': ['rejected', 'the account has less to spend than the order may cost'],
  'too-little-liquidity': ['rejected', 'the book cannot fill the market order near its best price'],
  'would-take': ['would-take', 'it is post-only and would have traded at once'],
  'not-open': ['not-open', 'there is no such open order'],
  'not-found': ['not-found', 'there is no such order'],
  throttled: ['throttled', 'there were more calls than the exchange allows in a minute'],
};

export function refusalOf(code: RefusalCode, atMicros: number): Refusal {
  const [reason, text] = refusals[code];
  return { kind: 'refused', reason, code, text, venueTimeMs: Math.floor(atMicros / 1000) };
}
