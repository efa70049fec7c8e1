/** Plants that lose, invent or double fills. */
import { amountOf, formatAmount } from '../../src/domain/amount.ts';
import { decimalOf, formatDecimal } from '../../src/domain/money.ts';
import { FillBook } from '../../src/execution/fills/fill-book.ts';
import { TradeProofs } from '../../src/execution/fills/trade-proofs.ts';
import { TradesSync } from '../../src/execution/fills/trades-sync.ts';
import { afterChange, runningEngine, watchEngine } from './orders-plant-hooks.ts';
import type { OrdersPlant } from './orders-plants.ts';

let newestTradeMs = 0;
let inventedSequence = 9_000_000_000;

export const fillPlants: Readonly<Record<string, OrdersPlant>> = {
  'double-booking': {
    meaning: 'a trade that the overlap shows again counts again in the position',
    install: () => {
      watchEngine();
      const book = FillBook.prototype.book;
      FillBook.prototype.book = function (this: FillBook, trade): boolean {
        const isNew = book.call(this, trade);
        const order = runningEngine().orders.tracker.byOrderId(trade.orderId);
        if (!isNew && order !== undefined)
          this.positions.add(order.strategyId, order.pair, order.terms.side, trade.sums);
        return isNew;
      };
    },
  },
  'forgotten-at-restart': {
    meaning: 'after a restart the fills that are stored do not count as known',
    install: () => {
      const restore = FillBook.prototype.restore;
      FillBook.prototype.restore = function (this: FillBook, row, order, isProven): void {
        restore.call(this, { ...row, sequence: `${row.sequence}0` }, order, isProven);
      };
    },
  },
  'done-without-sums': {
    meaning: 'an order that the exchange calls complete is done before its fills are booked',
    install: () =>
      afterChange(({ orders, order, state }) => {
        if (state !== 'completing') return;
        const isFilled = order.filledLots >= order.terms.volume;
        orders.setState(order, isFilled ? 'filled' : 'cancelled', 'the exchange says complete');
      }),
  },
  watermark: {
    meaning: 'trades are asked for from the newest one on, without an overlap',
    rates: { 'lag.trades': 1 },
    begin: () => {
      newestTradeMs = 0;
    },
    install: () => {
      const since = TradesSync.prototype.sinceMs;
      TradesSync.prototype.sinceMs = function (this: TradesSync, ...given): number {
        return Math.max(since.apply(this, given), newestTradeMs);
      };
      const book = FillBook.prototype.book;
      FillBook.prototype.book = function (this: FillBook, trade): ReturnType<typeof book> {
        newestTradeMs = Math.max(newestTradeMs, trade.atMs);
        return book.call(this, trade);
      };
    },
  },
  'ledger-bound-alone': {
    meaning: 'trades are asked for from where the ledger ends, whatever rows have no fill',
    rates: { 'lag.trades': 1 },
    // Of what the overlap also finds, nothing would be missed.
    masks: () => {
      const since = TradesSync.prototype.sinceMs;
      TradesSync.prototype.sinceMs = function (this: TradesSync): number {
        return since.call(this, 0, 0);
      };
    },
    install: () => {
      TradeProofs.prototype.oldestUnexplainedMs = () => undefined;
    },
  },
  'user-stream-booked': {
    meaning: 'a fill of the user stream is booked at once, under a key of our own',
    install: () => {
      watchEngine();
      const note = FillBook.prototype.noteUserFill;
      FillBook.prototype.noteUserFill = function (this: FillBook, report): void {
        note.call(this, report);
        const { orderId, clientOrderId, sums } = report;
        const [base, counter] = [formatAmount(sums.base), formatAmount(sums.counter)];
        if (sums.base <= 0n) return;
        const order = runningEngine().orders.tracker.byOrderId(orderId);
        if (order === undefined) return;
        this.book({
          orderId,
          clientOrderId,
          pair: order.pair,
          sequence: String(++inventedSequence),
          side: order.terms.side,
          isMaker: false,
          price: amountOf(
            formatDecimal(decimalOf(counter).div(base).toDecimalPlaces(order.market.priceScale)),
          ),
          volume: sums.base,
          sums,
          atMs: Math.trunc(runningEngine().orders.context.nowMs),
        });
      };
    },
  },
};
