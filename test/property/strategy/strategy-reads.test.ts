/**
 * What a strategy reads is kept until something of it changes: after any change it must be what it
 * would be if it were worked out from nothing, and between changes the same object.
 */
import { expect, test } from 'vitest';
import { amountOf, amountOfVolume, wholeLotsOf } from '../../../src/domain/amount.ts';
import { Decimal, decimalOf, type Lots } from '../../../src/domain/money.ts';
import { FillHistory } from '../../../src/engine/account/fill-history.ts';
import { EngineMarket } from '../../../src/engine/engine-market.ts';
import { ownOrderOf } from '../../../src/engine/strategy-order.ts';
import { StrategyReads } from '../../../src/engine/strategy-reads.ts';
import { Positions } from '../../../src/execution/fills/positions.ts';
import { OrderTracker } from '../../../src/execution/orders/order-tracker.ts';
import { noSums } from '../../../src/execution/orders/sums.ts';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { Exposure } from '../../../src/risk/exposure.ts';
import { shareOf } from '../../../src/risk/share.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { lots, market, ticks } from '../../unit/risk/open-gate.ts';

const { pair, base, counter } = market;
const budget = { [base]: '0.5', [counter]: '60000' };
const feeBuffer = shareOf('0.01');
const nowMs = 1_700_000_000_000;

/** An account of two strategies to which random things happen. */
class Account {
  readonly exposure = new Exposure([market]);
  readonly tracker = new OrderTracker();
  readonly reads = new Map(
    ['mm', 'other'].map((strategyId) => [
      strategyId,
      new StrategyReads({
        strategyId,
        budget,
        market: new EngineMarket(
          { market, makerFee: '0', takerFee: '0', lastTrade: undefined },
          nowMs,
          Infinity,
        ),
        tracker: this.tracker,
        exposure: this.exposure,
        feeBuffer,
        pairLimits: undefined,
        counters: new Set([counter]),
        history: [],
        positions: new Positions(),
        fills: new FillHistory([{ id: strategyId, pairs: [pair] }]),
      }),
    ]),
  );
  readonly #random: SeededRandom;
  #orders: TrackedOrder[] = [];
  #fills: string[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** Lets one thing happen; returns what. */
  step(): string {
    const act = this.#random.pick([
      ...['place', 'place', 'confirm', 'stream', 'book', 'book', 'cancel', 'end', 'settle'],
      'balance',
    ] as const);
    if (act === 'place') this.#place();
    else if (act === 'balance') this.#setBalance();
    else if (act === 'settle') this.exposure.funds.settle(this.#fills.at(-1) ?? '');
    else if (this.#orders.length > 0) this.#change(act, this.#random.pick(this.#orders));
    return act;
  }

  #place(): void {
    const random = this.#random;
    const id = ++this.#count;
    const side = random.pick(['BID', 'ASK'] as const);
    const price = ticks(random.integer(90_000_000, 110_000_000));
    const volume = lots(random.integer(1, 500));
    const strategyId = random.pick(['mm', 'other']);
    const order = new TrackedOrder(
      {
        ...{ intentId: id, strategyId, key: `k${id}`, level: undefined, tag: undefined },
        terms: { side, price, volume, timeInForce: 'GTC', postOnly: true },
        ...{ baseAccountId: '1', counterAccountId: '2' },
        ...{ clientOrderId: `c${id}`, reason: '', createdMs: nowMs, validUntilMs: nowMs },
        expiresMs: undefined,
      },
      market,
    );
    order.orderId = `o${id}`;
    this.#orders.push(order);
    this.tracker.add(order, nowMs);
    order.hold = this.exposure.hold({ strategyId, pair, side, price, volume }, nowMs);
  }

  #change(act: 'confirm' | 'stream' | 'book' | 'cancel' | 'end', order: TrackedOrder): void {
    if (act === 'confirm') {
      order.state = 'open';
      this.exposure.confirm(order.hold);
    } else if (act === 'cancel') order.cancelRequestedMs = nowMs;
    else if (act === 'end') {
      order.state = 'cancelled';
      this.tracker.noteFinal(order, nowMs);
      this.exposure.release(order.hold);
      this.#orders = this.#orders.filter((one) => one !== order);
    } else this.#fill(act, order);
  }

  #fill(act: 'stream' | 'book', order: TrackedOrder): void {
    const known = act === 'stream' ? order.filledLots : order.bookedLots;
    const volume = lots(Math.min(order.terms.volume - known, this.#random.integer(1, 100)));
    if (volume <= 0) return;
    const filled = amountOfVolume(known + volume, market);
    if (act === 'stream') {
      order.streamed = { base: filled, atMs: nowMs };
      return;
    }
    order.booked = { ...noSums, base: filled };
    const key = `f${++this.#count}`;
    this.#fills.push(key);
    const { strategyId, hold } = order;
    this.exposure.fill({
      ...{ key, hold, strategyId, pair, side: order.terms.side, volume, timeMs: nowMs },
      value: BigInt(order.terms.price) * BigInt(volume),
      feeBase: amountOf(this.#random.pick(['0', '0.00000007'])),
      feeCounter: amountOf(this.#random.pick(['0', '0.13'])),
    });
  }

  #setBalance(): void {
    const currency = this.#random.pick([base, counter]);
    const balance = amountOf(String(this.#random.integer(0, 100_000)));
    const mark = this.exposure.funds.mark();
    this.exposure.funds.setBalance(currency, { askedMs: 0, balance, available: balance, mark });
  }
}

function positionOf({ exposure, tracker }: Account, strategyId: string) {
  const worst = exposure.position(strategyId, pair);
  let provisional = 0;
  for (const order of tracker.live) {
    if (order.strategyId !== strategyId) continue;
    const ahead = order.filledLots - order.bookedLots;
    provisional += order.terms.side === 'BID' ? ahead : -ahead;
  }
  const booked = wholeLotsOf(worst.base, market);
  const averagePrice =
    booked === 0 ? undefined : exposure.trades.averagePrice(strategyId, pair, worst.base);
  return {
    base: (booked + provisional) as Lots,
    highest: wholeLotsOf(worst.highest, market),
    lowest: wholeLotsOf(worst.lowest, market),
    ...(averagePrice !== undefined && { averagePrice }),
  };
}

function availableOf({ exposure }: Account, strategyId: string, currency: string): Decimal {
  const units = new Decimal(10).pow(18);
  const flow = new Decimal(exposure.strategyFlow(strategyId, currency).lowest.toString());
  const left = Decimal.max(0, decimalOf(budget[currency] ?? '0').plus(flow.div(units)));
  const free = exposure.free(currency);
  if (free === undefined) return new Decimal(0);
  const most = new Decimal(free.toString()).div(currency === counter ? '1.01' : 1).div(units);
  return Decimal.max(0, Decimal.min(left, most.toDecimalPlaces(18, Decimal.ROUND_DOWN)));
}

test('reads are never older than the last change', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const account = new Account(seed);
    for (let step = 0; step < 150; step++) {
      const act = account.step();
      for (const [strategyId, reads] of account.reads) {
        const where = `seed ${seed}, step ${step}: ${act}, ${strategyId}`;
        const own = [...account.tracker.live].filter((one) => one.strategyId === strategyId);
        expect(reads.orders(), where).toEqual(own.map(ownOrderOf));
        expect(reads.position(), where).toEqual(positionOf(account, strategyId));
        for (const currency of [base, counter, 'NONE'])
          expect(reads.available(currency).toFixed(), `${where} ${currency}`).toBe(
            availableOf(account, strategyId, currency).toFixed(),
          );
        expect(reads.orders()).toBe(reads.orders());
        expect(reads.position()).toBe(reads.position());
        expect(reads.available(base)).toBe(reads.available(base));
        const orders = reads.orders();
        const views = [orders, ...orders, ...orders.map(({ terms }) => terms), reads.position()];
        expect(views.every(Object.isFrozen), where).toBe(true);
      }
    }
  }
});
