/**
 * The fills of our orders: reported by the user stream and the market stream, booked from the list
 * of trades, proven by the ledger.
 *
 * Invariants: a fill is booked once, under (pair, sequence, order id), in every state of its order;
 * a fill that only a stream has reported is provisional and not booked; a trade that cannot be
 * matched to an order is still recorded.
 */
import { formatAmount, type Sums } from '../../domain/amount.ts';
import type { OrderState } from '../../domain/order.ts';
import type { FillRow, FillTotals, Restored, Witness } from '../../domain/records.ts';
import { noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import type { TradeView, WrongValue } from '../../venue/venue-reply.ts';
import type { FillReport } from '../../venue/venue-report.ts';
import { clientOrderIdPrefix } from '../orders/client-order-id.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { addSums, sumsOf } from '../orders/sums.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { overfillOf } from '../orders/whole-order.ts';
import type { FeeShares } from './fill-role.ts';
import { fillKeyOf, ownTradeOf, problemWith, tradedValueOf } from './own-trade.ts';
import { baseOf, counterOf, Positions } from './positions.ts';
import { type ProvisionalFill, provisionalFillOf } from './provisional-fill.ts';
import { type Amounts, type ProvenFill, TradeProofs } from './trade-proofs.ts';

/** How long trades are known, and how often old ones are forgotten. */
const known = { keptMs: 24 * 3_600_000, paceMs: 3_600_000 };
/** A replay exchange lists its trades for twelve minutes. */
const knownOfReplay = { keptMs: 20 * 60_000, paceMs: 5 * 60_000 };
/** Final states that a trade disproves. */
const neverAtExchange: ReadonlySet<OrderState> = new Set(['rejected', 'absent', 'unsent']);

export class FillBook {
  readonly positions = new Positions();
  readonly proofs: TradeProofs;
  readonly #orders: OrderStates;
  readonly #prefix: string;
  #orphans = 0;
  /** The time of every trade in the list of trades, ours or not, by its key. */
  readonly #known = new Map<string, number>();
  readonly #kept: typeof known;
  #forgetAtMs = 0;
  readonly #startedMs: number;

  constructor(orders: OrderStates, namespace: string) {
    this.#orders = orders;
    this.#kept = orders.reads.losesMessages ? known : knownOfReplay;
    this.#prefix = clientOrderIdPrefix(namespace);
    this.proofs = new TradeProofs(orders.context.exposure.funds);
    this.#startedMs = orders.context.nowMs;
  }

  /** Restores a fill from the store; `order` is its order, if that was restored too. */
  restore(row: FillRow, order: TrackedOrder | undefined, isProven: boolean): void {
    this.#known.set(fillKeyOf(row), row.tradedMs);
    const sums = sumsOf(row);
    if (order !== undefined) {
      order.booked = addSums(order.booked, sums);
      // The fill may have been stored before the response with the order's id.
      this.#learnOrderId(order, row.orderId);
    }
    if (isProven) return;
    // The totals count it as proven; see restoreTotals.
    this.proofs.restoreProven(row.pair, row.side, sums, -1);
    this.#prove({ ...row, atMs: row.tradedMs }, sums, { isOwn: true, key: fillKeyOf(row) });
  }

  /** Restores the proven trades of others, because the list shows them again. */
  restoreForeign(trades: Restored['foreignTrades']): void {
    for (const trade of trades) this.#known.set(fillKeyOf(trade), trade.tradedMs);
  }

  /** Restores the sums of all stored fills, including those of orders that are not in memory. */
  restoreTotals(totals: FillTotals): void {
    this.positions.restore(totals);
    this.proofs.restoreProven(totals.pair, totals.side, sumsOf(totals));
  }

  /**
   * Returns the exact differences between the positions and our fills by the ledger, as text.
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
      const byLedger = `${formatAmount(own.base)} / ${formatAmount(own.counter)}`;
      return [
        `position of ${pair} is ${formatAmount(base)} / ${formatAmount(counter)} by its fills, ${byLedger} by the ledger`,
      ];
    });
  }

  /** Books one row of the list of trades; returns whether it was new. */
  book(trade: TradeView): boolean {
    const key = fillKeyOf(trade);
    if (this.#known.has(key)) return false;
    if (this.#isForgotten(trade)) return false;
    const order = this.#orders.tracker.find(trade);
    const problem = order === undefined ? undefined : problemWith(order, trade);
    if (order !== undefined && problem !== undefined) {
      // The next read of the list may show it correctly.
      this.#refuse(order, `trade ${key}`, problem);
      return false;
    }
    this.#known.set(key, trade.atMs);
    this.#forgetOld();
    if (order === undefined) {
      // A trade made by hand or by another bot matters only because of its ledger rows.
      if (trade.clientOrderId.startsWith(this.#prefix)) this.#noteOrphan(trade, key);
      this.#prove(trade, trade.sums, { isOwn: false, key });
      return true;
    }
    this.#bookOwn(order, trade, key);
    return true;
  }

  /** Takes the rows of a list of `pair` that cannot be true: one of our orders halts the bot. */
  refuse(pair: string, wrong: readonly WrongValue[]): void {
    for (const value of wrong) {
      const { subject, field, orderId = '', clientOrderId = '' } = value;
      const order = this.#orders.tracker.find({ orderId, clientOrderId });
      // An answer about another pair belongs to another request.
      if (order?.pair === pair)
        this.#refuse(order, subject, `has the ${field} ${value.value}, which ${value.rule}`);
    }
  }

  #refuse(order: TrackedOrder, trade: string, problem: string): void {
    if (!order.noteReport('FILL_INVALID')) return;
    const { context } = this.#orders;
    context.incident('FILL_INVALID', `${trade} of ${order.clientOrderId} ${problem}`);
    context.setTradingState('bot', 'HALTED', `${trade} cannot be booked`);
  }

  /**
   * Notes a trade of our namespace whose order is not in the store. The start searches for trades
   * from before the run, so a later one means that another bot uses our name. `reconcile` lists
   * them all.
   */
  #noteOrphan(trade: TradeView, key: string): void {
    const { context } = this.#orders;
    const text = `trade ${key} belongs to ${trade.clientOrderId}, an order of our namespace that is not in the store`;
    if (this.#orphans === 0) context.incident('ORPHAN_FILL', text);
    this.#orphans++;
    if (trade.atMs >= this.#startedMs)
      context.setTradingState('bot', 'HALTED', `${text}: stop the other bot with this name`);
  }

  /** Number of fills of our namespace, seen in this run, whose order is not in the store. */
  get orphanCount(): number {
    return this.#orphans;
  }

  /** Takes a fill from the user stream; without a trade's key, it stays provisional. */
  noteUserFill(report: FillReport, fees?: FeeShares): void {
    const order = this.#orders.tracker.find(report);
    if (order === undefined) return;
    order.noteIds(report);
    this.#orders.requestTrades(order.pair);
    const fill = provisionalFillOf(order, report, fees);
    if (fill !== undefined) this.#noteFill(order, fill);
  }

  #noteFill(order: TrackedOrder, fill: ProvisionalFill): void {
    const { cumulative, price, feeBase, feeCounter, maker } = fill;
    // The order's record tells nobody of a fill, so a fill that it showed first is still news.
    const added = subtractLots(fill.filled, order.toldLots);
    // The list of trades corrects the sums of a finished order if necessary.
    if (order.state === 'filled' || order.state === 'cancelled') return;
    const { context } = this.#orders;
    // A message repeated after a reconnect adds nothing.
    if (cumulative > order.streamedBase) order.streamed = { base: cumulative, atMs: context.nowMs };
    if (added <= 0) return;
    if (order.awaiting) this.#orders.noteTriggered(order, 'it trades');
    context.orderFilled(order, {
      price,
      feeBase,
      feeCounter,
      maker,
      volume: added,
      atMs: context.nowMs,
      sequence: '',
      booked: false,
      isFirstReport: true,
    });
    if (order.filledLots < order.terms.volume) return;
    // Nothing is left to cancel; the order record will confirm that it is complete.
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
      // Without a sequence the trade is only a hint, since a witness needs the fill's key.
      if (trade.sequence === '') continue;
      this.#witness({ pair: trade.pair, sequence: trade.sequence, orderId }, 'market-stream');
    }
  }

  /** Marks fills as proven by the ledger. */
  settle(keys: readonly string[]): void {
    const { context } = this.#orders;
    for (const key of keys) {
      context.exposure.funds.settle(key);
      if (!context.keepsAllRecords) continue;
      const [pair, sequence, orderId] = key.split('|') as [string, string, string];
      // Also for trades of others, so that the next start does not match their rows again.
      this.#witness({ pair, sequence, orderId }, 'ledger');
    }
  }

  #bookOwn(order: TrackedOrder, trade: TradeView, key: string): void {
    const { context } = this.#orders;
    const { row, ...whole } = ownTradeOf(trade, order);
    const { side, sums } = trade;
    if (whole.price === undefined || whole.volume === undefined)
      context.incident(
        'FILL_DIFFERS',
        `trade ${row.sequence} of ${order.clientOrderId}: ${side} ${row.volume} at ${row.price}`,
      );
    const price = whole.price ?? order.terms.price;
    const isFirstReport = order.booked.base + sums.base > order.streamedBase;
    order.booked = addSums(order.booked, sums);
    this.positions.add(row.strategyId, row.pair, side, sums);
    if (context.keepsAllRecords) context.record({ kind: 'fill', row });
    context.results?.noteFill(row, sums, order);
    this.#witness(row, 'list-of-trades');
    const leg = side === 'BID' ? 'base' : 'counter';
    const receipt = context.exposure.fill({
      key,
      hold: order.hold,
      strategyId: order.strategyId,
      pair: order.pair,
      side,
      volume: whole.volume ?? order.terms.volume,
      value: tradedValueOf(price, whole.volume ?? order.terms.volume),
      feeBase: sums.feeBase,
      feeCounter: sums.feeCounter,
      timeMs: row.tradedMs,
      isReceiptOpen: this.proofs.isRowAhead(row.pair, row.sequence, leg),
    });
    this.#noteEvidence(order, row);
    if (order.awaiting) this.#orders.noteTriggered(order, 'it trades');
    context.orderFilled(order, {
      price,
      volume: whole.volume ?? noLots,
      feeBase: sums.feeBase,
      feeCounter: sums.feeCounter,
      maker: row.maker,
      atMs: row.tradedMs,
      sequence: row.sequence,
      booked: true,
      isFirstReport,
    });
    order.changed.raise();
    this.#prove(trade, sums, { isOwn: true, key, receipt });
  }

  // A fill proves that the order exists, whatever its state was.
  #noteEvidence(order: TrackedOrder, { orderId, sequence }: FillRow): void {
    const { context } = this.#orders;
    this.#learnOrderId(order, orderId);
    const isPastItsEnd = isFilledPastItsEnd(order);
    if (isPastItsEnd && order.isUnchecked)
      this.#orders.correct(order, `trade ${sequence} names it`);
    else if (order.state === 'unknown' || neverAtExchange.has(order.state) || isPastItsEnd)
      this.#orders.setState(order, 'open', `trade ${sequence} names it`);
    else this.#orders.store(order);
    const { bookedLots, terms } = order;
    if (bookedLots < terms.volume && terms.pays === undefined) return;
    const overfill = overfillOf(order);
    if (overfill === undefined) return;
    context.incident('OVERFILL', `order ${order.clientOrderId} ${overfill}`);
    context.setTradingState(
      `pair:${order.pair}`,
      'HALTED',
      'an order was filled beyond its volume',
    );
  }

  #prove(
    trade: Pick<TradeView, 'pair' | 'sequence' | 'side' | 'atMs'>,
    sums: Sums,
    fill: Pick<ProvenFill, 'isOwn' | 'key' | 'receipt'>,
  ): void {
    const { pair, sequence, side, atMs: tradedMs } = trade;
    const { nowMs } = this.#orders.context;
    this.settle(this.proofs.addFill({ pair, sequence, side, sums, ...fill, tradedMs, nowMs }));
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
   * Whether a trade is so old that its order is no longer in memory. The list of trades is read
   * back to the oldest live order, and repeats trades that were booked before.
   */
  #isForgotten(trade: TradeView): boolean {
    return (
      trade.atMs < this.#orders.context.nowMs - this.#kept.keptMs &&
      this.#orders.tracker.find(trade) === undefined &&
      !this.proofs.isOpen(trade.pair, trade.sequence)
    );
  }

  /** Removes old keys of orders that are no longer in memory. */
  #forgetOld(): void {
    const { context, tracker } = this.#orders;
    if (context.nowMs < this.#forgetAtMs) return;
    this.#forgetAtMs = context.nowMs + this.#kept.paceMs;
    const beforeMs = context.nowMs - this.#kept.keptMs;
    // A loop over the entries would make a list of two for each of them.
    this.#known.forEach((tradedMs, key) => {
      if (tradedMs > beforeMs) return;
      const orderId = key.slice(key.lastIndexOf('|') + 1);
      if (tracker.byOrderId(orderId) === undefined) this.#known.delete(key);
    });
  }
}

/** Whether a finished order has traded more than its record reports, so that it may be open. */
function isFilledPastItsEnd(order: TrackedOrder): boolean {
  const hasEnded = order.state === 'filled' || order.state === 'cancelled';
  const isMore = order.booked.base > order.reported.base;
  return hasEnded && isMore && overfillOf(order) === undefined;
}
