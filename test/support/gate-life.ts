/**
 * Random histories of an account, given both to the gate and to the oracle: orders that are
 * approved, sent, lost, filled late, cancelled, rejected and settled, while the facts change.
 * Before each order both return the codes that refuse it.
 *
 * Two more exposures know less, as in other gates: one counts an order when the exchange has
 * confirmed it, the other when the step that approved it is over.
 */
import { amountOf } from '../../src/domain/amount.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { approvalTokenOf } from '../../src/risk/approvals.ts';
import { distance2Of, referenceOf } from '../../src/risk/collar-budget.ts';
import { Exposure } from '../../src/risk/exposure.ts';
import { Gate } from '../../src/risk/gate.ts';
import { createGateFacts, type GateFacts } from '../../src/risk/gate-facts.ts';
import { type GateSettings, limitsHashOf } from '../../src/risk/gate-limits.ts';
import type { Proposal } from '../../src/risk/proposal.ts';
import { lunoProfile } from '../../src/venues/profiles.ts';
import { AvailableOrders } from './gate-available.ts';
import { DrawnBalances } from './gate-balances.ts';
import { drawExit } from './gate-exits.ts';
import { drawKind, oracleOrderOf, paysText } from './gate-market-orders.ts';
import { Oracle } from './gate-oracle.ts';
import { amount } from './gate-oracle-amount.ts';
import type { OracleOrder, Placed } from './gate-oracle-types.ts';
import {
  decimalText,
  drawRules,
  gateMarkets,
  gateSettingsOf,
  oracleMarkets,
} from './gate-rules.ts';
import { GateSituation, scopes } from './gate-situation.ts';
import { fillTriggered } from './gate-stops.ts';
import { heldAs, holdAs, type NamedFill, settleAs } from './named-holds.ts';
import { SeededRandom } from './seeded-random.ts';

const dayMs = 86_400_000;
const startMs = Math.floor(1_750_000_000_000 / dayMs) * dayMs + dayMs - 120_000;

/** One requested order, with everything that the gate and the oracle know. */
export type Asked = {
  readonly proposal: Proposal;
  readonly facts: GateFacts;
  readonly settings: GateSettings;
  readonly gate: Gate;
  /** The codes that refuse it, by the oracle. */
  readonly against: ReadonlySet<string>;
  /** Whether it passes the loss limits only because it is an exit. */
  readonly isExitUnderLoss: boolean;
  readonly lateFacts: GateFacts;
  readonly stepFacts: GateFacts;
  /** Orders of exactly what is available. */
  readonly available: AvailableOrders;
};

type Kept = {
  readonly id: string;
  readonly order: Placed;
  readonly ticks: Ticks;
  readonly lots: Lots;
};

const marketOf = (name: string) =>
  gateMarkets.find(({ pair }) => pair === name) as (typeof gateMarkets)[number];

export class GateLife {
  readonly oracle: Oracle;
  readonly settings: GateSettings;
  readonly #random: SeededRandom;
  readonly #exposure = new Exposure(gateMarkets);
  readonly #late = new Exposure(gateMarkets);
  readonly #step = new Exposure(gateMarkets);
  readonly #facts: GateFacts;
  readonly #gate: Gate;
  readonly #kept: Kept[] = [];
  readonly #balances: DrawnBalances;
  readonly #available: AvailableOrders;
  readonly #situation: GateSituation;
  /** Updates for the exposure that lags by one step, made at the end of the step. */
  #waiting: (() => void)[] = [];
  readonly #asked: {
    readonly mark: number;
    readonly askedAt: number;
    readonly late: number;
    readonly step: number;
  }[] = [];

  constructor(seed: number) {
    const random = new SeededRandom(seed);
    this.#random = random;
    this.#balances = new DrawnBalances(random);
    const rules = drawRules(random);
    this.oracle = new Oracle(rules, oracleMarkets, startMs);
    const settings = gateSettingsOf(rules);
    const word = random.pick(['any', 'any', 'right', 'right', 'wrong'] as const);
    const areRight = word === 'any' ? undefined : word === 'right';
    this.oracle.areSettingsApproved = areRight;
    const approved = {
      settings: [areRight === true ? limitsHashOf(settings) : 'old'],
      strategies: ['new'],
    };
    this.settings = areRight === undefined ? settings : { ...settings, approved };
    this.#gate = new Gate(this.settings);
    this.#available = new AvailableOrders(this.settings, this.#exposure);
    this.#facts = createGateFacts(
      {
        ...{ mode: 'demo', ordersGoTo: 'simulator', liveFlag: false },
        ...{ keyFingerprint: undefined, keyFingerprintAllowed: undefined },
      },
      this.#exposure,
      gateMarkets,
      lunoProfile,
    );
    const { losing } = rules;
    for (const exposure of this.#all)
      exposure.trades.losingTrades = { max: losing.max, coolDownMs: losing.restMs };
    this.#situation = new GateSituation(random, this.oracle, this.#facts);
    for (const scope of scopes) this.oracle.states[scope] = 'ACTIVE';
    for (const { pair, mid } of gateMarkets) this.#situation.setMarket(pair, mid);
    if (random.integer(1, 12) === 1) this.#beBusy();
    this.#ask();
    this.#tell();
  }

  /** Adds a hundred finished orders, as after an hour of quoting. */
  #beBusy(): void {
    const market = gateMarkets[0] as (typeof gateMarkets)[number];
    const ticks = market.mid as Ticks;
    const lots = 100 as Lots;
    const order = {
      ...({ strategy: 'a', side: 'BID', timeInForce: 'GTC', postOnly: true } as const),
      ...{ reduceOnly: false, stop: undefined, pays: undefined, pair: market.pair },
      price: amount(decimalText(ticks, market.priceScale)),
      volume: amount(decimalText(lots, market.volumeScale)),
      accounts: ['1', '2'] as const,
      createdMs: this.oracle.nowMs,
    };
    const cancels = this.#random.integer(0, 100);
    this.#situation.writeFacts();
    for (let count = 0; count < 100; count++) {
      this.#place(order, ticks, lots);
      const kept = this.#kept.at(-1) as Kept;
      for (const tell of this.#waiting.splice(0)) tell();
      for (const exposure of this.#all) {
        if (count < cancels) exposure.withdraw(heldAs(exposure, kept.id), this.oracle.nowMs);
        exposure.release(heldAs(exposure, kept.id));
      }
      kept.order.isOver = true;
      kept.order.isWithdrawn = count < cancels;
      kept.order.withdrawnMs = this.oracle.nowMs;
    }
    this.oracle.nowMs += 600_000;
  }

  get #all(): readonly Exposure[] {
    return [this.#exposure, this.#late, this.#step];
  }

  /** Makes one random step; passes each requested order to `onAsked` before it is judged. */
  step(onAsked: (asked: Asked) => void): void {
    this.oracle.at++;
    const random = this.#random;
    const dice = random.integer(1, 20);
    if (dice <= 9) for (let n = random.integer(1, 3); n > 0; n--) this.#propose(onAsked);
    else if (dice <= 12) this.#fill();
    else if (dice === 13) this.#confirm();
    else if (dice === 14) this.#withdraw();
    else if (dice <= 16) this.#release();
    else if (dice === 17) this.#settle();
    else if (dice === 18) this.#ask();
    else if (dice === 19) this.#tell();
    else this.#pass();
    for (const tell of this.#waiting.splice(0)) tell();
  }

  #propose(onAsked: (asked: Asked) => void): void {
    const random = this.#random;
    const { oracle } = this;
    const undo = random.integer(1, 3) === 1 ? this.#situation.spoil() : () => {};
    const market = random.pick(gateMarkets);
    const now = { mid: this.#situation.midOf(market.pair) };
    const scale = 10 ** market.volumeScale * (market.base === 'XBT' ? 0.012 : 0.24);
    const previous = this.#kept.at(-1);
    const isAgain =
      previous !== undefined && previous.order.pair === market.pair && random.integer(1, 8) === 1;
    const price = isAgain
      ? previous.ticks
      : (Math.round(now.mid * (0.97 + random.fraction() * 0.06)) as Ticks);
    const lots = (
      isAgain
        ? previous.lots
        : random.integer(1, 15) === 1
          ? Math.ceil(scale * 4)
          : random.integer(1, Math.ceil(scale))
    ) as Lots;
    const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const);
    const exit = isAgain ? undefined : drawExit(random, oracle, market);
    const account = (currency: string): string =>
      random.integer(1, 60) === 1 ? '9' : (oracle.rules.accounts[currency] ?? '');
    const side = isAgain ? previous.order.side : random.pick(['BID', 'ASK'] as const);
    const sized = { side, volume: lots, ...exit };
    const { stop, ofOracle, marketOrder } = drawKind(
      random,
      { ...sized, price, isAgain },
      {
        ...{ market, mid2: this.#situation.mid2Of(market.pair) },
        collar: oracle.rules.pairs[market.pair]?.collar,
        paysAgain: isAgain ? paysText(previous.order) : undefined,
      },
    );
    const proposal: Proposal = {
      strategyId: isAgain ? previous.order.strategy : random.pick(['a', 'b']),
      pair: market.pair,
      ...sized,
      price,
      timeInForce,
      postOnly: timeInForce === 'GTC' ? random.integer(1, 3) > 1 : random.integer(1, 12) === 1,
      ...{ stop, reduceOnly: random.integer(1, 5) === 1 },
      ...marketOrder,
      baseAccountId: account(market.base),
      counterAccountId: account(market.counter),
      createdMs: oracle.nowMs - random.pick([0, 0, 0, 0, 10_000, 10_001, -1]),
    };
    const order = oracleOrderOf(proposal, market, ofOracle);
    if (random.integer(1, 3) === 1) {
      const untilMs = oracle.nowMs + random.integer(0, 1) * 5_000;
      oracle.approvals.set(Oracle.nameOf(order), untilMs);
      this.#facts.approvals.add(approvalTokenOf(proposal, market), untilMs);
    }
    this.#situation.writeFacts();
    const facts = this.#facts;
    const against = oracle.against(order);
    onAsked({
      ...{ proposal, facts, settings: this.settings, gate: this.#gate, against },
      available: this.#available,
      isExitUnderLoss: oracle.isExitUnderLoss(order),
      lateFacts: { ...facts, exposure: this.#late },
      stepFacts: { ...facts, exposure: this.#step },
    });
    undo();
    this.#situation.writeFacts();
    if (against.size > 0) {
      if (random.integer(1, 6) === 1) this.#refused(proposal.strategyId);
      return;
    }
    this.#place(order, proposal.price, proposal.volume, stop);
  }

  #place(order: OracleOrder, ticks: Ticks, lots: Lots, stop?: Proposal['stop']): void {
    const { oracle } = this;
    const { nowMs } = oracle;
    const market = marketOf(order.pair);
    const id = `h${this.#kept.length}`;
    const { strategy: strategyId, pair, side } = order;
    const isAwaiting = stop !== undefined;
    const pays = paysText(order);
    const held = { strategyId, pair, side, price: ticks, volume: lots, isAwaiting, pays };
    holdAs(this.#exposure, id, held, nowMs);
    this.#waiting.push(() => holdAs(this.#step, id, held, nowMs));
    const mid2 = referenceOf({ stop }, this.#facts.pairs.get(order.pair)?.mid2) ?? 2 * ticks;
    for (const exposure of this.#all)
      exposure.collars.add(market, {
        distance2: distance2Of(ticks, mid2),
        volume: lots,
        atMs: nowMs,
      });
    this.#kept.push({ id, order: oracle.place(order), ticks, lots });
  }

  #refused(strategy: string): void {
    const atMs = this.oracle.nowMs;
    const list = this.#random.pick(['rejections', 'refusals'] as const);
    this.oracle[list].push({ strategy, atMs });
    for (const exposure of this.#all) exposure.activity.of(strategy)[list].add(atMs);
  }

  #fill(): void {
    const random = this.#random;
    const { oracle } = this;
    if (this.#kept.length === 0) return;
    // Released orders too: a fill is accepted in every state.
    const kept = random.pick(this.#kept.slice(-8));
    const { order, id, ticks } = kept;
    const market = marketOf(order.pair);
    const unit = amount(decimalText(1, market.volumeScale));
    const left = Number(order.left / unit);
    const volume = random.integer(1, Math.max(1, left)) as Lots;
    const price = (ticks + random.integer(0, 3) * (order.side === 'BID' ? -1 : 1)) as Ticks;
    const feeBase = amount(decimalText(random.integer(-1, 3), 7));
    const feeCounter = amount(decimalText(random.integer(-1, 3), 5));
    const key = `f${oracle.fills.length}`;
    const fill: NamedFill = {
      ...{ key, holdId: id, strategyId: order.strategy, pair: order.pair, side: order.side },
      ...{ volume, value: BigInt(price) * BigInt(volume), feeBase, feeCounter },
      ...{ timeMs: oracle.nowMs, isReceiptOpen: true },
    };
    order.isAwaiting = false;
    const tell = (exposure: Exposure) => fillTriggered(exposure, id, fill);
    tell(this.#exposure);
    tell(this.#late);
    this.#waiting.push(() => tell(this.#step));
    oracle.fill({
      ...{ order, strategy: order.strategy, pair: order.pair, side: order.side },
      volume: amount(decimalText(volume, market.volumeScale)),
      price: amount(decimalText(price, market.priceScale)),
      feeBase,
      feeCounter,
      ...{ atMs: oracle.nowMs, isHeld: !order.isOver, settledAt: Number.POSITIVE_INFINITY },
    });
  }

  #confirm(): void {
    const kept = this.#kept.length === 0 ? undefined : this.#random.pick(this.#kept.slice(-4));
    if (kept === undefined || kept.order.isOver || kept.order.confirmedAt < Infinity) return;
    const { id, order, ticks: price } = kept;
    this.#exposure.confirm(heldAs(this.#exposure, id));
    const unit = amount(decimalText(1, marketOf(order.pair).volumeScale));
    const volume = Number(order.left / unit) as Lots;
    const { strategy: strategyId, pair, side, isAwaiting } = order;
    const held = { strategyId, pair, side, price, volume, isAwaiting, pays: paysText(order) };
    // The exposure that waits for the confirmation counts the order from here on.
    holdAs(this.#late, id, held, this.oracle.nowMs);
    this.#late.confirm(heldAs(this.#late, id));
    order.confirmedAt = this.oracle.at;
  }

  #withdraw(): void {
    const kept = this.#kept.length === 0 ? undefined : this.#random.pick(this.#kept.slice(-4));
    if (kept === undefined || kept.order.isOver || kept.order.isWithdrawn) return;
    const { nowMs, at } = this.oracle;
    for (const exposure of this.#all) exposure.withdraw(heldAs(exposure, kept.id), nowMs);
    Object.assign(kept.order, { isWithdrawn: true, withdrawnMs: nowMs, withdrawnAt: at });
  }

  #release(): void {
    const open = this.#kept.filter(({ order }) => !order.isOver);
    if (open.length === 0) return;
    const { id, order } = this.#random.pick(open);
    for (const exposure of this.#all) exposure.release(heldAs(exposure, id));
    order.isOver = true;
    order.overAt = this.oracle.at;
  }

  #settle(): void {
    const open = this.oracle.fills.filter(
      ({ settledAt }) => settledAt === Number.POSITIVE_INFINITY,
    );
    for (const fill of open.slice(0, this.#random.integer(1, 3))) {
      const key = `f${this.oracle.fills.indexOf(fill)}`;
      for (const exposure of this.#all) settleAs(exposure, key);
      fill.settledAt = this.oracle.at;
    }
  }

  #ask(): void {
    const [mark = 0, late = 0, step = 0] = this.#all.map((exposure) => exposure.funds.mark());
    this.#asked.push({ mark, late, step, askedAt: this.oracle.at });
  }

  #tell(): void {
    const random = this.#random;
    const { mark, late, step, askedAt } = random.pick(this.#asked.slice(-2));
    for (const currency of ['XBT', 'ZAR', 'ETH']) {
      if (random.integer(1, 40) === 1) continue;
      const { balance, available } = this.#balances.next(random, currency);
      for (const [exposure, at] of [
        [this.#exposure, mark],
        [this.#late, late],
        [this.#step, step],
      ] as const)
        exposure.funds.setBalance(currency, {
          ...{ balance: amountOf(balance), available: amountOf(available) },
          ...{ mark: at, askedMs: 0 },
        });
      this.oracle.told.push({
        ...{ currency, balance: amount(balance), available: amount(available) },
        ...{ askedAt, toldAt: this.oracle.at },
      });
    }
  }

  #pass(): void {
    const random = this.#random;
    this.oracle.nowMs += random.pick([0, 1, 999, 1_000, 2_000, 9_000, 60_000]);
    const market = random.pick(gateMarkets);
    const mid = this.#situation.midOf(market.pair);
    const back = (market.mid - mid) / 4;
    this.#situation.setMarket(
      market.pair,
      Math.round(mid * (1 + (random.fraction() - 0.5) / 50) + back),
    );
    if (random.integer(1, 3) === 1)
      this.oracle.states[random.pick(scopes)] = random.pick([
        'ACTIVE',
        'ACTIVE',
        'REDUCING',
      ] as const);
  }
}
