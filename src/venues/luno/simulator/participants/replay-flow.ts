/**
 * Replays recorded order flow in place of simulated participants: recorded actions, one by one, at
 * `speed` times real time.
 *
 *     recording: … trade, trade, create ─▶ one order that takes and rests ─▶ the book of the market
 *
 * A recorded taker becomes one order: its volume is what the taker traded, its limit the worst
 * price that the taker paid. If the taker left a rest in the book, the volume of the rest is added,
 * and its price is the limit. The order trades with whatever rests here, including our users'
 * orders, by price and time.
 *
 * After its end the recording starts again, with a book that has only the users' orders.
 *
 * Invariants: an order that leaves the recorded book leaves ours at the same time; volume taken by
 * users' orders stays taken, even if the recorded owner moves the order; the state after a row
 * depends only on the recording, the number of the row and the actions of the users.
 */
import { acceptsMakers, acceptsTakers, opposite, type Side } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import {
  addLots,
  maxLots,
  minLots,
  noLots,
  subtractLots,
} from '../../../../domain/ticks-and-lots.ts';
import { remainingOf } from '../../../../exchange-accounts/account-order.ts';
import { meets, meetsBook } from '../../../../exchange-accounts/order-crossing.ts';
import type {
  OrderCreated,
  OrderFlowRow,
  OrderResized,
  OrderTraded,
} from '../../../../market/flow/order-flow-row.ts';
import type { Exchange } from '../core/exchange.ts';
import { houseUserId, type MarketState } from '../core/exchange-state.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import type { FlowOrder, FlowState } from '../core/flow-state.ts';
import { cancelOrder, executeOrder } from '../core/matching-engine.ts';
import type { SimulatedOrder } from '../core/simulated-order.ts';

/** Pause between two rounds of the recording, in recorded time. */
const pauseMicros = 60_000_000;

type Terms = {
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

/** Replays the next recorded action, and sets when the following one is due. */
export function replayNextAction(
  exchange: Exchange,
  market: MarketState,
  state: FlowState,
  recording: FlowRecording,
): void {
  const flow = new FlowReplay(exchange, market, state);
  if (state.position >= recording.rows.length) {
    flow.clear();
    state.position = -1;
    state.rounds += 1;
    state.beginMicros = state.nextMicros;
  }
  if (state.position === -1) {
    for (const order of recording.resting) flow.create(order, noLots);
    state.position = 0;
  } else {
    let end = state.position;
    while (recording.rows[end]?.endsMessage === false) end += 1;
    flow.replay(recording.rows.slice(state.position, end + 1));
    state.position = end + 1;
  }
  state.nextMicros = dueMicros(state, recording);
}

function dueMicros({ beginMicros, position, speed }: FlowState, { rows }: FlowRecording): number {
  const firstMicros = rows[0]?.atMicros ?? 0;
  const next = rows[position];
  const sinceMicros =
    next === undefined
      ? (rows.at(-1)?.atMicros ?? 0) - firstMicros + pauseMicros
      : next.atMicros - firstMicros;
  return beginMicros + Math.floor(sinceMicros / speed);
}

class FlowReplay {
  readonly #exchange: Exchange;
  readonly #market: MarketState;
  readonly #state: FlowState;

  constructor(exchange: Exchange, market: MarketState, state: FlowState) {
    this.#exchange = exchange;
    this.#market = market;
    this.#state = state;
  }

  /** Removes every recorded order from the book. */
  clear(): void {
    for (const id of [...this.#state.orders.keys()]) this.#remove(id);
  }

  /** Replays the rows of one action. */
  replay(rows: readonly OrderFlowRow[]): void {
    /** Volume that users took from an order that its owner deletes and then places again. */
    let taken: { readonly id: string; readonly volume: Lots } | undefined;
    let trades: OrderTraded[] = [];
    for (const row of rows) {
      if (row.kind === 'trade') {
        trades.push(row);
        continue;
      }
      if (trades.length > 0) {
        const rest = row.kind === 'create' && row.id === trades[0]?.takerId ? row : undefined;
        this.#take(trades, rest);
        trades = [];
        if (rest !== undefined) continue;
      }
      if (row.kind === 'create') this.create(row, taken?.id === row.id ? taken.volume : noLots);
      else if (row.kind === 'delete') taken = { id: row.id, volume: this.#remove(row.id) };
      else this.#resize(row);
    }
    if (trades.length > 0) this.#take(trades, undefined);
  }

  /** Places a recorded order, less the volume that users took from it before its owner moved it. */
  create(row: Pick<OrderCreated, 'id'> & Terms, taken: Lots): void {
    const { orders } = this.#state;
    if (orders.has(row.id)) {
      this.#state.misfits += 1;
      return;
    }
    const { id, side, price } = row;
    const volume = subtractLots(row.volume, taken);
    const order = volume > 0 ? this.#place({ side, price, volume }, 'GTC') : undefined;
    orders.set(id, { orderId: order?.id ?? '', side, price, volume: row.volume });
  }

  #take(trades: readonly OrderTraded[], rest: OrderCreated | undefined): void {
    const { orders } = this.#state;
    const side = opposite((trades[0] as OrderTraded).makerSide);
    let volume = rest?.volume ?? noLots;
    let limit = rest?.price;
    const leaving: string[] = [];
    for (const trade of trades) {
      const maker = orders.get(trade.makerId);
      if (maker === undefined) {
        this.#state.misfits += 1;
        continue;
      }
      // Volume that was hidden in the recording does not exist in this book.
      const shown = minLots(trade.volume, maker.volume);
      maker.volume = subtractLots(maker.volume, shown);
      if (maker.volume === 0) leaving.push(trade.makerId);
      volume = addLots(volume, shown);
      if (
        limit === undefined ||
        (rest === undefined && !meets({ side, price: limit }, trade.price))
      )
        limit = trade.price;
    }
    const terms = limit !== undefined && volume > 0 ? { side, price: limit, volume } : undefined;
    const taker = terms && this.#place(terms, rest === undefined ? 'IOC' : 'GTC');
    if (rest !== undefined && !orders.has(rest.id))
      orders.set(rest.id, {
        orderId: taker?.id ?? '',
        side: rest.side,
        price: rest.price,
        volume: rest.volume,
      });
    for (const id of leaving) this.#remove(id);
  }

  /**
   * Removes an order from the recorded book and from ours. Returns the volume that users took from
   * it.
   */
  #remove(id: string): Lots {
    const order = this.#state.orders.get(id);
    if (order === undefined) {
      this.#state.misfits += 1;
      return noLots;
    }
    this.#state.orders.delete(id);
    const own = this.#orderOf(order);
    const left = own === undefined ? noLots : remainingOf(own);
    if (own !== undefined) cancelOrder(this.#exchange, own);
    return maxLots(noLots, subtractLots(order.volume, left));
  }

  /**
   * Changes the volume of an order. The stream of this exchange has no message for that, so the
   * order is removed and placed again, at the end of the queue at its price.
   */
  #resize({ id, volume, price: newPrice }: OrderResized): void {
    const order = this.#state.orders.get(id);
    if (order === undefined) {
      this.#state.misfits += 1;
      return;
    }
    const { side, price } = order;
    const taken = this.#remove(id);
    this.create({ id, side, price: newPrice ?? price, volume }, taken);
  }

  #orderOf({ orderId }: FlowOrder): SimulatedOrder | undefined {
    const order = this.#exchange.orderOf(houseUserId, orderId);
    return order?.status === 'PENDING' ? order : undefined;
  }

  /** Places an order if the status of the market allows it. */
  #place(terms: Terms, timeInForce: 'GTC' | 'IOC'): SimulatedOrder | undefined {
    const { pair, base, counter, status } = this.#market.market;
    if (!acceptsMakers(status)) return undefined;
    if (!acceptsTakers(status) && meetsBook(terms, this.#exchange.bookOf(pair).book))
      return undefined;
    const accounts = this.#exchange.userOf(houseUserId).accountIds;
    return executeOrder(this.#exchange, {
      ...terms,
      pair,
      timeInForce,
      userId: houseUserId,
      clientOrderId: '',
      baseAccountId: accounts.get(base) as string,
      counterAccountId: accounts.get(counter) as string,
    });
  }
}
