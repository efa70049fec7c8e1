/** A market and a queue fill model for tests, with the model's events. */
import { type Market, parseLots, parseTicks, type Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import type { ModelEvent, ModelRequest } from '../../src/replay-exchange/fill-models/fill-event.ts';
import type { OrderHistory } from '../../src/replay-exchange/fill-models/order-history.ts';
import type { OwnOrder } from '../../src/replay-exchange/fill-models/own-order.ts';
import { ReplayMarket } from '../../src/replay-exchange/fill-models/replay-market.ts';
import type { PlaceRequest } from '../../src/venue/venue-request.ts';
import { EncodedHistory, orderHistoryOf } from './encoded-history.ts';

export const replayMarket: Market = {
  pair: 'XBTEUR',
  base: 'XBT',
  counter: 'EUR',
  priceScale: 2,
  volumeScale: 4,
  feeScale: 8,
  priceMin: 10 as Ticks,
  priceMax: 1_000_000 as Ticks,
  volumeMin: 1 as Lots,
  volumeMax: 1_000_000 as Lots,
  status: 'ACTIVE',
};

export const replayRates = { maker: '0.0002', taker: '0.001' };

export type RecordedModel = {
  readonly model: ReplayMarket;
  readonly orders: OrderHistory;
  readonly events: ModelEvent[];
  /** What is applied to it is applied to the model. */
  readonly history: EncodedHistory;
};

export function createQueueModel(
  options: { readonly consumedMicros?: number } = {},
): RecordedModel {
  const events: ModelEvent[] = [];
  const model = new ReplayMarket({
    data: { kind: 'orders', ...options },
    market: replayMarket,
    rates: replayRates,
    listener: (event) => events.push(event),
  });
  const history = new EncodedHistory((at) => model.apply(at));
  return { model, orders: orderHistoryOf(model), events, history };
}

export function request(
  side: Side,
  price: number,
  volume: number,
  part: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    clientOrderId: '',
    side,
    price: price as Ticks,
    volume: volume as Lots,
    timeInForce: 'GTC',
    postOnly: false,
    ...part,
  };
}

/** The terms of an order that a test cares about, with price and volume as decimals. */
export type PlacePart = Partial<Omit<PlaceRequest, 'price' | 'volume'>> & {
  readonly price?: string;
  readonly volume?: string;
};

/** Returns the request for an order to buy 2 at 1.00 but for `part`. */
export function placing(part: PlacePart = {}, market: Market = replayMarket): PlaceRequest {
  const { price = '1.00', volume = '2', ...terms } = part;
  return {
    ...{ kind: 'place', clientOrderId: '', pair: market.pair, side: 'BID' },
    price: parseTicks(price, market) as Ticks,
    volume: parseLots(volume, market) as Lots,
    ...{ timeInForce: 'GTC', postOnly: false, baseAccountId: '1', counterAccountId: '2' },
    ...{ timestampMs: Infinity, ttlMs: 2_000 },
    ...terms,
  };
}

/** Returns the order that was accepted last; throws if there is none. */
export function lastAccepted(events: readonly ModelEvent[]): OwnOrder {
  const accepted = events.findLast((event) => event.kind === 'accepted');
  if (accepted === undefined) throw new Error('no order was accepted');
  return accepted.order;
}

const place = { sequence: 1, atMicros: 1_000, endsMessage: true };

/** Short forms of rows, all at the same time. */
export const row = {
  create: (id: string, side: Side, price: number, volume: number): OrderFlowRow => ({
    ...place,
    kind: 'create',
    id,
    side,
    price: price as Ticks,
    volume: volume as Lots,
  }),
  delete: (id: string): OrderFlowRow => ({ ...place, kind: 'delete', id }),
  resize: (id: string, volume: number): OrderFlowRow => ({
    ...place,
    kind: 'resize',
    id,
    volume: volume as Lots,
  }),
  trade: (makerId: string, makerSide: Side, price: number, volume: number): OrderFlowRow => ({
    ...place,
    kind: 'trade',
    makerId,
    takerId: 'taker',
    makerSide,
    price: price as Ticks,
    volume: volume as Lots,
  }),
};
