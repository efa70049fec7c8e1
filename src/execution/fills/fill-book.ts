/**
 * The fills of our orders: told by the user stream and the market stream, booked by the list of
 * trades, proven by the ledger.
 *
 * Invariants: a fill is booked once, under (pair, sequence, order id), in whatever state its order
 * is; what only a stream has told is provisional and never booked; nothing that cannot be matched
 * is lost.
 */
import { formatAmount, parseAmount, powerOfTen, wholeLotsOf } from '../../domain/amount.ts';
import { type Market, parseLots, parseTicks, type Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import type { OrderState } from '../../domain/order.ts';
import type { FillRow, FillTotals, Restored, Witness } from '../../domain/records.ts';
import { noLots, subtractLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { UserTrade } from '../../exchange-api/operations/order-operations.ts';
import type { OrderFillUpdate } from '../../exchange-api/user-messages.ts';
import { wholeOf } from '../../risk/whole-units.ts';
import { clientOrderIdPrefix } from '../orders/client-order-id.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { addSums, noSums, parseSums, type Sums, sumsOf } from '../orders/sums.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { type FeeShares, isMakerFill } from './fill-role.ts';
import { fillRowOf } from './fill-row.ts';
import { baseOf, counterOf, Positions } from './positions.ts';
import { type Amounts, TradeProofs } from './trade-proofs.ts';

const keptMs = 24 * 3_600_000;
const forgetPaceMs = 600_000;
/** Final states that a trade refutes. */
const neverAtExchange: ReadonlySet<OrderState> = new Set(['rejected', 'absent', 'unsent']);

export class FillBook {
  readonly positions = new Positions();
  readonly proofs = new TradeProofs();
  readonly #orders: OrderStates;
  readonly #prefix: string;
  /** Every trade that the list of trades showed, ours or not, by key, with its time. */
  #orphans = 0;
  readonly #known = new Map<string, number>();
  /** Rows of ours that were booked, which a tape lists as the same objects again and again. */
  readonly #booked = new WeakSet<UserTrade>();
  #forgetAtMs = 0;
  readonly #startedMs: number;

  constructor(orders: OrderStates, namespace: string) {
    this.#orders = orders;
    this.#prefix = clientOrderIdPrefix(namespace);
    this.#startedMs = orders.context.nowMs;
  }

  /** Takes a fill over from the store, of an order that was restored before if it is known. */
  restore(row: FillRow, order: TrackedOrder | undefined, isProven: boolean): void {
    this.#known.set(fillKeyOf(row), row.tradedMs);
    const sums = sumsOf(row);
    if (order !== undefined) {
      order.booked = addSums(order.booked, sums);
      // The fill may have been stored before the answer that would have told the order's id.
      this.#learnOrderId(order, row.orderId);
    }
    if (isProven) return;
    // The totals count it as proven, see restoreTotals.
    this.proofs.restoreProven(row.pair, row.side, sums, -1);
    this.#prove(row.side, row, sums, true);
  }

  /** Takes over which trades of others are proven: the list shows them again. */
  restoreForeign(trades: Restored['foreignTrades']): void {
    for (const trade of trades) this.#known.set(fillKeyOf(trade), trade.tradedMs);
  }

  /** Takes over the sums of all stored fills, of those too whose orders have left memory. */
  restoreTotals(totals: FillTotals): void {
    this.positions.restore(totals);
    this.proofs.restoreProven(totals.pair, totals.side, sumsOf(totals));
  }

  /**
   * Where the positions and the ledger's account of our fills differ, in words; to the last digit.
   */
  differences(): readonly string[] {
    const positions = new Map<string, Amounts>();
    for (const { pair, holding } of this.positions.entries()) {
      const before = positions.get(pair);
      positions.set(pair, {
        base: baseOf(holding) + (before?.base ?? 0n),
        counter: counterOf(holding) + (before?.counter ?? 0n),
      });
    }
    return [...positions].flatMap(([pair, { base, counter }]) => {
      const own = this.proofs.ownOf(pair);
      if (own.base === base && own.counter === counter) return [];
      const told = `${formatAmount(own.base)} / ${formatAmount(own.counter)}`;
      return [
        `position of ${pair} is ${formatAmount(base)} / ${formatAmount(counter)} by its fills, ${told} by the ledger`,
      ];
    });
  }

  /** Books one row of the list of trades; returns whether it was new. */
  book(trade: UserTrade): boolean {
    if (this.#booked.has(trade)) return false;
    const ids = { orderId: trade.order_id, clientOrderId: trade.client_order_id };
    const key = fillKeyOf({ pair: trade.pair, sequence: trade.sequence, orderId: trade.order_id });
    if (this.#known.has(key)) return false;
    if (this.#isForgotten(trade)) return false;
    this.#known.set(key, trade.timestamp);
    this.#forgetOld();
    const side = sideOf(trade.type);
    // What is finer than any amount counts as nothing, and no trade of ours is over nothing.
    const sums = parseSums(trade) ?? noSums;
    const row = {
      pair: trade.pair,
      sequence: trade.sequence,
      orderId: trade.order_id,
      tradedMs: trade.timestamp,
    };
    const order = this.#orders.tracker.find(ids);
    const absurd = order === undefined ? undefined : absurdityOf(order, trade, sums);
    if (absurd !== undefined) {
      const { context } = this.#orders;
      if (order?.noteReport('FILL_ABSURD') === true) {
        context.incident('FILL_ABSURD', `trade ${key} of ${order.clientOrderId} ${absurd}`);
        context.setTradingState('bot', 'HALTED', `trade ${key} cannot be booked`);
      }
      // The next look at the list may show it as it is.
      this.#known.delete(key);
      return false;
    }
    if (order === undefined) {
      // Traded by hand or by another bot: the ledger will show it, and nothing else concerns us.
      if (trade.client_order_id.startsWith(this.#prefix)) this.#noteOrphan(trade, key);
      this.#prove(side, row, sums, false);
      return true;
    }
    this.#booked.add(trade);
    this.#bookOwn(order, trade, side, sums);
    this.#prove(side, row, sums, true);
    return true;
  }

  /**
   * A trade of our namespace whose order the store does not know. What was traded before the run
   * was looked for at its start; now another bot trades under our name. `reconcile` lists them all.
   */
  #noteOrphan(trade: UserTrade, key: string): void {
    const { context } = this.#orders;
    const text = `trade ${key} is of ${trade.client_order_id}, of our namespace, which the store does not know`;
    if (this.#orphans === 0) context.incident('ORPHAN_FILL', text);
    this.#orphans++;
    if (trade.timestamp >= this.#startedMs)
      context.setTradingState('bot', 'HALTED', `${text}: stop the other bot of this name`);
  }

  /** Fills of our namespace, seen in this run, whose order the store does not know. */
  get orphanCount(): number {
    return this.#orphans;
  }

  /** Takes a fill that the user stream tells; it has no key yet, so it stays provisional. */
  noteUserFill(update: OrderFillUpdate, fees?: FeeShares): void {
    const order = this.#orders.tracker.find({
      orderId: update.order_id,
      clientOrderId: update.client_order_id,
    });
    if (order === undefined) return;
    order.noteIds(update);
    this.#orders.requestTrades(order.pair);
    const cumulative = parseAmount(update.base_fill);
    // The stream only hints: what it cannot mean is not believed, and the lists will tell.
    if (cumulative === undefined || !order.canBeFilled(cumulative)) return;
    if (cumulative > order.volume) return;
    const news = subtractLots(wholeLotsOf(cumulative, order.market), order.filledLots);
    // The sums of an order that is done are proven; the lists tell if they are wrong after all.
    if (order.state === 'filled' || order.state === 'cancelled') return;
    // A resend after a reconnect says nothing new.
    if (cumulative > order.streamedBase)
      order.streamed = { base: cumulative, atMs: this.#orders.context.nowMs };
    if (news <= 0) return;
    const { price: limit } = order.terms;
    const price = priceOf(update, order.market) ?? limit;
    this.#orders.context.orderFilled(order, {
      price,
      volume: news,
      feeBase: update.base_fee_delta,
      feeCounter: update.counter_fee_delta,
      maker: isMakerFill(order, update, { fees, isAtLimit: price === limit }),
      booked: false,
      isNews: true,
    });
    if (order.filledLots < order.terms.volume) return;
    // Nothing is left to cancel; the order record will say that it is complete.
    order.completionHinted = true;
    order.changed.raise();
  }

  /** Takes a trade of the public stream that names one of our orders as maker or taker. */
  noteMarketTrade(trade: {
    readonly pair: string;
    readonly sequence: string;
    readonly makerOrderId: string;
    readonly takerOrderId: string;
  }): void {
    for (const orderId of [trade.makerOrderId, trade.takerOrderId]) {
      const order = this.#orders.tracker.byOrderId(orderId);
      if (order === undefined) continue;
      this.#orders.requestTrades(trade.pair);
      // Without its number it hints, and is no witness: the fill has one.
      if (trade.sequence === '') continue;
      this.#witness({ pair: trade.pair, sequence: trade.sequence, orderId }, 'market-stream');
    }
  }

  /** Marks fills as proven by the ledger. */
  settle(keys: readonly string[]): void {
    const { context } = this.#orders;
    for (const key of keys) {
      context.exposure.settle(key);
      if (!context.keepsAllRecords) continue;
      const [pair, sequence, orderId] = key.split('|') as [string, string, string];
      // Also of a trade that is not ours: its rows need no explanation at the next start.
      this.#witness({ pair, sequence, orderId }, 'ledger');
    }
  }

  #bookOwn(order: TrackedOrder, trade: UserTrade, side: Side, sums: Sums): void {
    const { context } = this.#orders;
    const price = parseTicks(trade.price, order.market);
    const volume = parseLots(trade.volume, order.market);
    if (price === undefined || volume === undefined)
      context.incident(
        'FILL_DIFFERS',
        `trade ${trade.sequence} of ${order.clientOrderId}: ${trade.type} ${trade.volume} at ${trade.price}`,
      );
    const row = fillRowOf(trade, order, side);
    const isNews = order.booked.base + sums.base > order.streamedBase;
    order.booked = addSums(order.booked, sums);
    this.positions.add(row.strategyId, row.pair, side, sums);
    context.record({ kind: 'fill', row });
    this.#witness(row, 'list-of-trades');
    context.exposure.fill({
      key: fillKeyOf(row),
      holdId: order.clientOrderId,
      strategyId: order.strategyId,
      pair: order.pair,
      side,
      volume: volume ?? order.terms.volume,
      value: BigInt(price ?? order.terms.price) * BigInt(volume ?? order.terms.volume),
      feeBase: row.feeBase,
      feeCounter: row.feeCounter,
      timeMs: row.tradedMs,
    });
    this.#noteEvidence(order, trade);
    context.orderFilled(order, {
      price: price ?? order.terms.price,
      volume: volume ?? noLots,
      feeBase: row.feeBase,
      feeCounter: row.feeCounter,
      maker: row.maker,
      booked: true,
      isNews,
    });
    order.changed.raise();
  }

  // A fill proves that the order exists, whatever we believed of it.
  #noteEvidence(order: TrackedOrder, trade: UserTrade): void {
    const { context } = this.#orders;
    this.#learnOrderId(order, trade.order_id);
    this.#orders.store(order);
    const { volume } = order;
    if (order.state === 'unknown' || neverAtExchange.has(order.state) || isFilledPastItsEnd(order))
      this.#orders.setState(order, 'open', `trade ${trade.sequence} names it`);
    if (order.booked.base <= volume) return;
    context.incident(
      'OVERFILL',
      `order ${order.clientOrderId} over ${formatAmount(volume)} is filled ${formatAmount(order.booked.base)}`,
    );
    context.setTradingState(
      `pair:${order.pair}`,
      'HALTED',
      'an order was filled beyond its volume',
    );
  }

  #prove(
    side: Side,
    row: {
      readonly pair: string;
      readonly sequence: string;
      readonly orderId: string;
      readonly tradedMs: number;
    },
    sums: Sums,
    isOwn: boolean,
  ): void {
    this.settle(
      this.proofs.addFill({
        ...row,
        key: fillKeyOf(row),
        side,
        sums,
        isOwn,
        nowMs: this.#orders.context.nowMs,
      }),
    );
  }

  #witness(
    fill: { readonly pair: string; readonly sequence: string; readonly orderId: string },
    witness: Witness,
  ): void {
    const { context } = this.#orders;
    if (!context.keepsAllRecords) return;
    const { pair, sequence, orderId } = fill;
    context.record({ kind: 'witness', pair, sequence, orderId, witness });
  }

  #learnOrderId(order: TrackedOrder, orderId: string): void {
    if (order.orderId !== undefined) return;
    order.orderId = orderId;
    this.#orders.tracker.noteOrderId(order);
  }

  /**
   * Whether a trade was done with so long ago that its order has left memory: the list of trades
   * reaches back as far as the oldest live order, and shows again what was booked before it.
   */
  #isForgotten(trade: UserTrade): boolean {
    return (
      trade.timestamp < this.#orders.context.nowMs - keptMs &&
      this.#orders.tracker.find({
        orderId: trade.order_id,
        clientOrderId: trade.client_order_id,
      }) === undefined &&
      !this.proofs.isOpen(trade.pair, trade.sequence)
    );
  }

  /** Drops keys that no list can show again as news: old, and of an order that left memory. */
  #forgetOld(): void {
    const { context, tracker } = this.#orders;
    if (context.nowMs < this.#forgetAtMs) return;
    this.#forgetAtMs = context.nowMs + forgetPaceMs;
    for (const [key, tradedMs] of this.#known) {
      if (tradedMs > context.nowMs - keptMs) continue;
      const orderId = key.slice(key.lastIndexOf('|') + 1);
      if (tracker.byOrderId(orderId) === undefined) this.#known.delete(key);
    }
  }
}

/** Returns the key of a fill as one text. */
export function fillKeyOf(fill: {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
}): string {
  return `${fill.pair}|${fill.sequence}|${fill.orderId}`;
}

/** What cannot be true of a trade of `order`, in words; such a row is not booked. */
function absurdityOf(order: TrackedOrder, trade: UserTrade, sums: Sums): string | undefined {
  const { side } = order.terms;
  const types = side === 'BID' ? ['BID', 'BUY'] : ['ASK', 'SELL'];
  if (!types.includes(trade.type)) return `is ${trade.type}, the order is ${side}`;
  if (trade.pair !== order.pair) return `is of ${trade.pair}, the order is of ${order.pair}`;
  if (sums.base === 0n || !order.canBeFilled(sums.base)) return `is over ${trade.base}`;
  return sums.counter < 0n ? `is for ${trade.counter}` : undefined;
}

/** Whether an order that had ended has traded more than its record said, and might go on. */
function isFilledPastItsEnd(order: TrackedOrder): boolean {
  const { base } = order.booked;
  const hasEnded = order.state === 'filled' || order.state === 'cancelled';
  return hasEnded && base > order.reported.base && base <= order.volume;
}

function sideOf(type: string): Side {
  // A trade of a market order may be told as BUY or SELL.
  return type === 'BID' || type === 'BUY' ? 'BID' : 'ASK';
}

/** The price that a message means, to the nearest tick; undefined if it means none. */
function priceOf(update: OrderFillUpdate, { priceScale }: Market): Ticks | undefined {
  const base = parseAmount(update.base_delta);
  const counter = parseAmount(update.counter_delta);
  if (base === undefined || counter === undefined || base <= 0n || counter <= 0n) return undefined;
  const ticks = wholeOf((2n * counter * powerOfTen(priceScale) + base) / (2n * base));
  return Number.isSafeInteger(ticks) ? ticksOf(ticks) : undefined;
}
