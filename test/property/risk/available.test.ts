/**
 * An order of exactly what a strategy reads as available is not refused for funds, neither by the
 * gate nor by the exchange: on both sides, whatever the fees, the buffer, the scales and the
 * balances, and also with an account that owns only what was bought. And the room that it reads for
 * an order is all that there is, to the lot: the gate refuses one lot more for the reason named.
 */
import { expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import type { Market, Side } from '../../../src/domain/market.ts';
import { Decimal, type Lots, type Ticks } from '../../../src/domain/money.ts';
import { FillHistory } from '../../../src/engine/account/fill-history.ts';
import { EngineMarket } from '../../../src/engine/engine-market.ts';
import { StrategyReads } from '../../../src/engine/strategy-reads.ts';
import {
  type AccountOrder,
  createOrder,
  payerIdOf,
  reservationOf,
} from '../../../src/exchange-accounts/account-order.ts';
import { FeeSchedule } from '../../../src/exchange-accounts/fee-schedule.ts';
import { appendRow, type LedgerAccount } from '../../../src/exchange-accounts/ledger.ts';
import { canSpend } from '../../../src/exchange-accounts/order-checks.ts';
import {
  OrderSettlement,
  reservationEntryOf,
} from '../../../src/exchange-accounts/order-settlement.ts';
import { Positions } from '../../../src/execution/fills/positions.ts';
import { OrderTracker } from '../../../src/execution/orders/order-tracker.ts';
import { type CheckInput, checkInputOf } from '../../../src/risk/check.ts';
import { checkForm } from '../../../src/risk/checks/form-check.ts';
import { checkFunds } from '../../../src/risk/checks/funds-check.ts';
import { checkOrderSize } from '../../../src/risk/checks/order-size-check.ts';
import { checkPosition } from '../../../src/risk/checks/position-check.ts';
import { Exposure, type Hold } from '../../../src/risk/exposure.ts';
import type { Receipt } from '../../../src/risk/funds.ts';
import { createGateFacts, type GateFacts } from '../../../src/risk/gate-facts.ts';
import { type GateLimits, gateLimitsOf } from '../../../src/risk/gate-limits.ts';
import { roomFor } from '../../../src/strategy/room.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { goodBid, openFacts, settings, market as usual } from '../../unit/risk/open-gate.ts';

const { pair, base, counter } = usual;
const lives = 1_500;
const steps = 60;
const nowMs = 1_750_000_000_000;

type Fill = {
  readonly key: string;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly feeBase: bigint;
  readonly feeCounter: bigint;
  isBooked: boolean;
  isSettled: boolean;
  receipt?: Receipt | undefined;
};
type Placed = { readonly order: AccountOrder; readonly hold: Hold; readonly fills: Fill[] };

class Life {
  gateChecks = 0;
  /** What bounded the room for an order, without its figures. */
  readonly rooms = new Set<string>();
  readonly onlyBought: boolean;
  readonly #random: SeededRandom;
  readonly #market: Market;
  readonly #exposure: Exposure;
  readonly #reads: StrategyReads;
  readonly #limits: GateLimits;
  readonly #facts: GateFacts;
  readonly #fees: FeeSchedule;
  readonly #accounts: Readonly<Record<'11' | '13', LedgerAccount>>;
  readonly #settlement: OrderSettlement<AccountOrder, never>;
  #orders: Placed[] = [];
  #fills: Fill[] = [];
  #asked: { mark: number; amounts?: [bigint, bigint][]; fills: Fill[] }[] = [];

  constructor(seed: number) {
    const random = new SeededRandom(seed);
    this.#random = random;
    this.#market = {
      ...{ ...usual, priceScale: random.pick([0, 2, 5]), volumeScale: random.pick([0, 4, 8]) },
      feeScale: random.pick([2, 8, 18]),
      ...{ priceMin: 50 as Ticks, volumeMax: random.pick([1_000_000, 1e12]) as Lots },
    };
    this.#exposure = new Exposure([this.#market]);
    const feeBuffer = random.pick(['0.01', '0.0000001', '1', '0.012345678901234567', '0.5']);
    const budget = {
      [base]: random.pick(['0', '3', '1000000']),
      [counter]: random.pick(['0', '12.345', '100000000000']),
    };
    const { limits, ...rest } = settings;
    if (limits === undefined) throw new Error('no limits');
    const account = { ...limits.account, feeBuffer };
    const [ofPair] = Object.values(limits.pairs);
    if (ofPair === undefined) throw new Error('no limits of a pair');
    const positionBaseMax = random.pick(['0.5', '10', '1000000', '1000000000']);
    const orderBaseMax = random.pick(['0.3', '1000000', '1000000000']);
    this.#limits = gateLimitsOf({
      ...rest,
      strategies: rest.strategies.map((strategy) => ({ ...strategy, budget })),
      limits: {
        ...{ ...limits, account },
        pairs: { [pair]: { ...ofPair, positionBaseMax, orderBaseMax } },
      },
    });
    this.#reads = new StrategyReads({
      ...{ strategyId: 'mm', budget, exposure: this.#exposure, history: [] },
      feeBuffer: this.#limits.feeBuffer,
      pairLimits: this.#limits.pairs.get(pair),
      counters: new Set([counter]),
      market: new EngineMarket(
        { market: this.#market, makerFee: '0', takerFee: '0', lastTrade: undefined },
        ...([nowMs, Number.POSITIVE_INFINITY] as const),
      ),
      tracker: new OrderTracker(),
      positions: new Positions(),
      fills: new FillHistory([{ id: 'mm', pairs: [pair] }]),
    });
    this.#facts = createGateFacts(
      openFacts().environment,
      this.#exposure,
      [this.#market],
      lunoProfile,
    );
    const rates = { maker: random.pick(['-0.01', '0', '0.001', '0.3']), taker: '0' };
    this.#fees = new FeeSchedule(rates, this.#market);
    this.onlyBought = random.integer(1, 2) === 1;
    const accountOf = (id: string, currency: string, amount: string): LedgerAccount => ({
      ...{ id, currency, balance: amountOf(amount), reserved: 0n, rowCount: 0, rows: undefined },
    });
    const held = this.onlyBought ? '0' : random.pick(['0.00000001', '17.5', '900000']);
    this.#accounts = {
      11: accountOf('11', base, held),
      13: accountOf('13', counter, random.pick(['0.07', '10000', '123456789.123456789012345678'])),
    };
    this.#settlement = new OrderSettlement<AccountOrder, never>({
      append: (id, entry) => appendRow(this.#accountOf(id), entry),
      reserve: (order, reservedDelta) =>
        appendRow(this.#accountOf(payerIdOf(order)), reservationEntryOf(order, reservedDelta)),
      traded: () => {},
      statusChanged: () => {},
    });
  }

  #accountOf(id: string): LedgerAccount {
    return id === '11' ? this.#accounts[11] : this.#accounts[13];
  }

  step(): void {
    this.#checkRoom();
    const dice = this.#random.integer(1, 9);
    if (dice <= 2) this.#place();
    else if (dice === 3) this.#with((placed) => this.#exposure.confirm(placed.hold));
    else if (dice <= 5) this.#with((placed) => this.#fill(placed));
    else if (dice === 6) this.#with((placed) => this.#book(placed));
    else if (dice === 7) this.#with((placed) => this.#end(placed));
    else if (dice === 8) this.#ask();
    else this.#tell();
  }

  #with(act: (placed: Placed) => void): void {
    if (this.#orders.length > 0) act(this.#random.pick(this.#orders));
  }

  /** Asks for an order of exactly what is available; returns nothing if that is less than a lot. */
  #place(): void {
    const random = this.#random;
    const side: Side = random.pick(['BID', 'ASK']);
    const price = random.integer(1, 100_000) as Ticks;
    const volume = this.#mostOf(side, price);
    if (volume < 1) return;
    const proposal = { ...goodBid, side, price, volume };
    const refused: string[] = [];
    const input: CheckInput = checkInputOf(proposal, this.#facts, this.#limits);
    checkFunds(input, (...refusal) => refused.push(refusal.join(' ')));
    this.gateChecks++;
    expect(refused).toEqual([]);
    const payer = side === 'BID' ? this.#accounts[13] : this.#accounts[11];
    const terms = {
      ...({ clientOrderId: '', timeInForce: 'GTC' } as const),
      ...{ pair, side, price, volume, baseAccountId: '11', counterAccountId: '13' },
    };
    expect(canSpend(payer, reservationOf(terms, this.#market))).toBe(true);
    if (random.integer(1, 3) === 1) return;
    const placed = random.integer(1, 2) === 1 ? volume : (Math.ceil(volume / 3) as Lots);
    const hold = this.#exposure.hold({ strategyId: 'mm', ...terms, volume: placed }, nowMs);
    const order = createOrder(
      { ...terms, volume: placed },
      { id: String(this.#orders.length), market: this.#market, timeMs: nowMs },
    );
    this.#settlement.open(order, nowMs * 1000);
    this.#orders.push({ order, hold, fills: [] });
  }

  /** Compares the room for an order of random size with what the gate says of it. */
  #checkRoom(): void {
    const random = this.#random;
    const side: Side = random.pick(['BID', 'ASK']);
    const price = random.integer(1, 100_000) as Ticks;
    const size = random.pick([1, 5_000, 1e9, 1e13]) as Lots;
    const nothing = { base: 0n, counter: 0n };
    const wanted = { side, price, size, freed: nothing, used: [] };
    const { volume, why } = roomFor(wanted, this.#market, this.#reads.bounds(side));
    this.rooms.add(why?.replaceAll(/[\d.,]+/gu, '') ?? '');
    if (volume > 0) expect(this.#refusalsOf({ side, price, volume })).toEqual([]);
    if (volume === size) return;
    expect(why).toBeDefined();
    if (size < this.#market.volumeMin) return;
    const more = Math.max(volume + 1, volume === 0 ? this.#market.volumeMin : 0) as Lots;
    expect(this.#refusalsOf({ side, price, volume: more })).not.toEqual([]);
  }

  #refusalsOf(order: { readonly side: Side; readonly price: Ticks; readonly volume: Lots }) {
    const refused: string[] = [];
    const input = checkInputOf({ ...goodBid, ...order }, this.#facts, this.#limits);
    for (const check of [checkForm, checkOrderSize, checkPosition, checkFunds])
      check(input, (...refusal) => refused.push(refusal.join(' ')));
    return refused;
  }

  #mostOf(side: Side, price: Ticks): Lots {
    const { volumeScale, priceScale } = this.#market;
    const available = this.#reads.available(side === 'BID' ? counter : base);
    const perLot = new Decimal(10)
      .pow(-volumeScale)
      .times(side === 'BID' ? new Decimal(price).div(new Decimal(10).pow(priceScale)) : 1);
    return Decimal.min(available.div(perLot).floor(), 1e13).toNumber() as Lots;
  }

  #fill({ order, fills }: Placed): void {
    const left = order.volume - order.filled;
    if (left < 1 || order.status === 'COMPLETE') return;
    const volume = this.#random.integer(1, left) as Lots;
    const better = order.side === 'BID' ? -1 : 1;
    const price = Math.max(1, order.price + better * this.#random.integer(0, 3)) as Ticks;
    const fee = this.#fees.feeOf({ side: order.side, price, volume, atMicros: nowMs * 1000 }, true);
    const amounts = {
      feeBase: fee.feeBase * 10n ** BigInt(18 - this.#market.feeScale),
      feeCounter: fee.feeCounter * 10n ** BigInt(18 - this.#market.feeScale),
    };
    const trade = { price, volume, ...amounts, timeMs: nowMs };
    this.#settlement.book(order, trade as never, this.#market, nowMs * 1000);
    if (order.filled === order.volume) this.#settlement.close(order, 'filled', nowMs * 1000);
    const key = `${pair}|${this.#fills.length}`;
    const fill = { key, price, volume, ...amounts, isBooked: false, isSettled: false };
    fills.push(fill);
    this.#fills.push(fill);
  }

  #book({ order, hold, fills }: Placed): void {
    for (const fill of fills) {
      if (fill.isBooked) continue;
      fill.isBooked = true;
      const { key, price, volume, feeBase, feeCounter } = fill;
      fill.receipt = this.#exposure.fill({
        isReceiptOpen: !fill.isSettled,
        ...{ key, hold, strategyId: 'mm', pair, side: order.side, volume, feeBase, feeCounter },
        ...{ value: BigInt(price) * BigInt(volume), timeMs: nowMs },
      });
      if (fill.isSettled) this.#exposure.funds.forgetSpend(key);
    }
  }

  #end(placed: Placed): void {
    const { order, hold } = placed;
    this.#exposure.withdraw(hold, nowMs);
    if (order.status !== 'COMPLETE') this.#settlement.close(order, 'cancelled', nowMs * 1000);
    this.#book(placed);
    this.#exposure.release(hold);
    this.#orders = this.#orders.filter((one) => one !== placed);
  }

  #ask(): void {
    const waiting = this.#asked.find(({ amounts }) => amounts === undefined);
    if (waiting === undefined) {
      if (this.#asked.length < 2)
        this.#asked.push({ mark: this.#exposure.funds.mark(), fills: [] });
      return;
    }
    waiting.amounts = [this.#accounts[11], this.#accounts[13]].map(
      ({ balance, reserved }) => [balance, balance - reserved] as [bigint, bigint],
    );
    waiting.fills = [...this.#fills];
  }

  /** An answer comes with the rows of all trades so far. */
  #tell(): void {
    if (this.#asked[0]?.amounts === undefined) return;
    const { mark, amounts, fills } = this.#asked.shift() ?? { mark: 0, fills: [] };
    for (const fill of fills) {
      if (fill.isBooked && !fill.isSettled) this.#exposure.funds.forgetSpend(fill.key);
      if (fill.receipt !== undefined) this.#exposure.funds.include(fill.receipt);
      fill.isSettled = true;
    }
    for (const [index, [balance, available]] of (amounts ?? []).entries())
      this.#exposure.funds.setBalance(index === 0 ? base : counter, {
        askedMs: 0,
        balance,
        available,
        mark,
      });
  }
}

test('an order of exactly the available amount is never refused for funds', () => {
  let [checks, ofBought] = [0, 0];
  const rooms = new Set<string>();
  for (let seed = 1; seed <= lives; seed++) {
    const life = new Life(seed);
    try {
      for (let step = 0; step < steps; step++) life.step();
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
    checks += life.gateChecks;
    if (life.onlyBought) ofBought += life.gateChecks;
    for (const why of life.rooms) rooms.add(why);
  }
  // The check would mean little if nothing were ever available.
  expect(checks).toBeGreaterThan(2_000);
  expect(ofBought).toBeGreaterThan(500);
  const bounds = [
    ...['the limit of an order', 'the position would exceed', 'the position would fall below'],
    ...['the budget', 'the balance', 'the market takes', 'an order needs'],
  ];
  for (const bound of bounds)
    expect(
      [...rooms].some((why) => why.startsWith(bound)),
      bound,
    ).toBe(true);
});
