/** The facts of a random history: markets, health and states, for the oracle and for the gate. */
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { Book } from '../../src/market/book/book.ts';
import type { GateFacts } from '../../src/risk/gate-facts.ts';
import type { Oracle } from './gate-oracle.ts';
import { amount } from './gate-oracle-amount.ts';
import { decimalText, gateMarkets } from './gate-rules.ts';
import type { SeededRandom } from './seeded-random.ts';

export const scopes = [
  'bot',
  'strategy:a',
  'strategy:b',
  ...gateMarkets.map(({ pair }) => `pair:${pair}`),
];

type PairNow = {
  mid: number;
  book: Book;
  bids: { price: Ticks; volume: Lots }[];
  asks: { price: Ticks; volume: Lots }[];
};

export class GateSituation {
  readonly #random: SeededRandom;
  readonly #oracle: Oracle;
  readonly #facts: GateFacts;
  readonly #now = new Map<string, PairNow>();

  constructor(random: SeededRandom, oracle: Oracle, facts: GateFacts) {
    this.#random = random;
    this.#oracle = oracle;
    this.#facts = facts;
  }

  /** The mid of a market's book, in ticks. */
  midOf(pair: string): number {
    return this.#now.get(pair)?.mid ?? 0;
  }

  /** Best bid plus best ask, in ticks. */
  mid2Of(pair: string): number {
    const { bids, asks, mid } = this.#now.get(pair) as PairNow;
    return (bids[0]?.price ?? mid) + (asks[0]?.price ?? mid);
  }

  /** Sets a book of a few levels around `mid`. */
  setMarket(pair: string, mid: number): void {
    const random = this.#random;
    const market = gateMarkets.find((one) => one.pair === pair) as (typeof gateMarkets)[number];
    const now: PairNow = {
      mid,
      book: new Book({ windowBits: 8, ordersExpected: 16 }),
      bids: [],
      asks: [],
    };
    const lots = 10 ** market.volumeScale * (market.base === 'XBT' ? 0.03 : 0.6);
    const step = Math.max(1, Math.round(mid / 2_000));
    for (let level = 0; level < random.integer(2, 6); level++)
      for (const side of ['BID', 'ASK'] as const) {
        const away = level * step + random.integer(1, step);
        const price = (side === 'BID' ? mid - away : mid + away) as Ticks;
        const volume = random.integer(1, Math.ceil(lots)) as Lots;
        now.book.create(side, price, volume);
        now[side === 'BID' ? 'bids' : 'asks'].push({ price, volume });
      }
    this.#now.set(pair, now);
    const best = [now.bids[0]?.price ?? mid, now.asks[0]?.price ?? mid] as const;
    const price = (ticks: number): bigint => amount(decimalText(ticks, market.priceScale));
    const level = (one: { price: Ticks; volume: Lots }) => ({
      price: price(one.price),
      volume: amount(decimalText(one.volume, market.volumeScale)),
    });
    this.#oracle.views[pair] = {
      status: 'ACTIVE',
      unknown: 0,
      isUsable: true,
      ageMs: random.pick([0, 1_000]),
      mid2: price(best[0]) + price(best[1]),
      median: price(mid + random.integer(-step, step)),
      medianAgeMs: random.pick([0, 60_000]),
      bids: now.bids.map(level),
      asks: now.asks.map(level),
    };
  }

  /** Changes one fact; returns a function that restores it. */
  spoil(): () => void {
    const random = this.#random;
    const oracle = this.#oracle;
    const { states, environment, health, views } = oracle;
    oracle.states = { ...states };
    oracle.health = { ...health };
    oracle.views = Object.fromEntries(
      Object.entries(views).map(([pair, one]) => [pair, { ...one }]),
    );
    const { isCodeApproved } = oracle;
    const view = oracle.views[random.pick(gateMarkets).pair];
    if (view === undefined) throw new RangeError('no view');
    const live = { mode: 'live', to: 'exchange', flag: true, key: 'k', allowed: 'k' };
    random.pick([
      () => {
        const state = random.pick(['HALTED', 'REDUCING', 'not known'] as const);
        oracle.states[random.pick(scopes)] = state === 'not known' ? undefined : state;
      },
      () => {
        oracle.environment = random.pick([
          { ...oracle.environment, to: 'exchange' },
          { ...oracle.environment, mode: 'paper' },
          { ...oracle.environment, mode: 'paper', to: 'replay' },
          live,
          { ...live, flag: false },
          { ...live, allowed: 'other' },
        ]);
      },
      () => {
        oracle.isCodeApproved = false;
      },
      () => {
        Object.assign(
          oracle.health,
          random.pick([
            ...[{ reconciled: false }, { durable: false }, { locked: false }, { skewMs: 2_000 }],
            ...[{ skewMs: -2_001 }, { skewMs: undefined }, { unknown: 5 }, { unknown: 6 }],
            ...[{ delayMs: 500 }, { delayMs: 501 }, { delayMs: undefined }],
          ]),
        );
      },
      () => {
        Object.assign(
          view,
          random.pick<object>([
            ...[{ status: 'POST_ONLY' }, { status: 'SUSPENDED' }, { status: undefined }],
            ...[{ unknown: 2 }, { unknown: 3 }, { isUsable: false }, { ageMs: 1_001 }],
            ...[{ ageMs: undefined }, { mid2: undefined }, { median: undefined }],
            ...[{ medianAgeMs: 60_001 }, { medianAgeMs: undefined }],
          ]),
        );
      },
    ])();
    return () => {
      Object.assign(oracle, { states, environment, health, views });
      oracle.isCodeApproved = isCodeApproved;
    };
  }

  /** Copies the oracle's facts to the gate. */
  writeFacts(): void {
    const oracle = this.#oracle;
    const facts = this.#facts;
    facts.nowMs = oracle.nowMs;
    type State = 'ACTIVE' | 'REDUCING' | 'HALTED';
    const { tradingState } = facts;
    tradingState.global = oracle.states['bot'] as State | undefined;
    for (const scope of scopes) {
      const [kind = '', name = ''] = scope.split(':');
      const map = kind === 'pair' ? tradingState.pairs : tradingState.strategies;
      const state = oracle.states[scope] as State | undefined;
      if (kind !== 'bot') state === undefined ? map.delete(name) : map.set(name, state);
    }
    const { mode, to, flag, key, allowed } = oracle.environment;
    facts.environment = {
      mode: mode as 'demo',
      ordersGoTo: to as 'simulator',
      liveFlag: flag,
      keyFingerprint: key === '' ? undefined : key,
      keyFingerprintAllowed: allowed === '' ? undefined : allowed,
    };
    for (const id of ['a', 'b'])
      facts.strategyHashes.set(id, oracle.isCodeApproved ? 'new' : 'old');
    const { reconciled, durable, locked, skewMs, delayMs, unknown } = oracle.health;
    Object.assign(facts.health, { reconciled, storeDurable: durable, lockHeld: locked });
    const delays = { clockSkewMs: skewMs, loopDelayMs: delayMs };
    Object.assign(facts.health, { ...delays, unknownOrders: unknown });
    for (const market of gateMarkets) {
      const view = oracle.views[market.pair];
      const pair = facts.pairs.get(market.pair);
      const now = this.#now.get(market.pair);
      if (view === undefined || pair === undefined || now === undefined) continue;
      const tick = amount(decimalText(1, market.priceScale));
      Object.assign(pair, {
        status: view.status,
        unknownOrders: view.unknown,
        bookUsable: view.isUsable,
        book: now.book,
        bookAgeMs: view.ageMs,
        mid2: view.mid2 === undefined ? undefined : Number(view.mid2 / tick),
        tradeMedian: view.median === undefined ? undefined : Number(view.median / tick),
        tradeMedianAgeMs: view.medianAgeMs,
      });
    }
  }
}
