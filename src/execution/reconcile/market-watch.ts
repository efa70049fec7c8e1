/**
 * Reads the bot's markets from the exchange once a minute. Status and limits take effect at once; a
 * market that is not listed or not valid counts as closed.
 *
 * Invariant: prices and volumes are whole ticks and lots in the scales from the start of the run.
 * If the scales change, the pair is halted and its orders are cancelled; the next start reads the
 * new scales.
 */
import type { Market, MarketStatus } from '../../domain/market.ts';
import { wrongText } from '../../venue/row-checks.ts';
import type { VenueFees } from '../../venue/venue-reply.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { call, type Procedure, wait } from '../requests/procedure.ts';
import type { SafetyRead } from '../requests/read-plan.ts';

const periodMs = 60_000;
/** Fees depend on the volume of thirty days; fills contain the fees actually paid. */
const feesPeriodMs = 600_000;

export type MarketWatchOptions = {
  readonly orders: OrderStates;
  readonly markets: readonly Market[];
  /** Called with the limits and status of a pair; undefined if it has no valid listing. */
  readonly onRules: (pair: string, rules: Market | undefined) => void;
  readonly onFees: (pair: string, fees: VenueFees) => void;
};

/** Returns the reads of the markets and of their fees. */
export function marketReads(pairs: number): readonly SafetyRead[] {
  return [
    { idleMs: periodMs, spacingMs: 0, busyMs: 0, calls: 1 },
    { idleMs: feesPeriodMs, spacingMs: 0, busyMs: 0, calls: pairs },
  ];
}

export class MarketWatch {
  readonly #options: MarketWatchOptions;
  /** Pairs whose scales have changed. */
  readonly #changed = new Set<string>();
  readonly #statuses = new Map<string, MarketStatus>();

  constructor(options: MarketWatchOptions) {
    this.#options = options;
    for (const { pair, status } of options.markets) this.#statuses.set(pair, status);
  }

  /** Runs forever; the markets were read at the start of the run. */
  *run(): Procedure {
    const { context } = this.#options.orders;
    let feesAtMs = context.nowMs + feesPeriodMs;
    for (;;) {
      yield* wait(periodMs);
      yield* this.readMarkets();
      if (context.nowMs < feesAtMs) continue;
      feesAtMs = context.nowMs + feesPeriodMs;
      for (const { pair } of this.#options.markets) yield* this.#readFees(pair);
    }
  }

  /** Reads the markets once. An unreadable response changes nothing. */
  *readMarkets(): Procedure {
    const { markets } = this.#options;
    const pairs = markets.map(({ pair }) => pair);
    const reply = yield* call({
      priority: 'read',
      request: () => ({ kind: 'markets', pairs }),
    });
    if (reply.kind !== 'ok') return;
    const { rows, wrong } = reply.value;
    for (const market of markets) {
      const rules = rows.find(({ pair }) => pair === market.pair);
      const problem = wrong.find(({ subject }) => subject === market.pair);
      if (rules !== undefined) this.#take(market, rules);
      else this.#close(market.pair, problem === undefined ? 'not listed' : wrongText(problem));
    }
  }

  #close(pair: string, why: string): void {
    this.#noteStatus(pair, 'UNKNOWN', why);
    this.#options.onRules(pair, undefined);
  }

  #take(market: Market, rules: Market): void {
    const { onRules } = this.#options;
    const { pair } = market;
    if (!hasScalesOf(rules, market)) {
      this.#haltChanged(market, rules);
      onRules(pair, undefined);
      return;
    }
    this.#noteStatus(pair, rules.status, `listed as ${rules.status}`);
    onRules(pair, rules);
  }

  #noteStatus(pair: string, status: MarketStatus, why: string): void {
    if (this.#statuses.get(pair) === status) return;
    this.#statuses.set(pair, status);
    const level = status === 'ACTIVE' ? 'info' : 'warn';
    this.#options.orders.context.notice({ level, topic: 'stream', text: `market ${pair}: ${why}` });
  }

  #haltChanged(market: Market, rules: Market): void {
    const { pair } = market;
    if (this.#changed.has(pair)) return;
    this.#changed.add(pair);
    const { orders } = this.#options;
    const why = `${pair} now has ${describe(rules)}; at the start of the bot it had ${describe(market)}`;
    orders.context.incident('MARKET_CHANGED', `${why}; its orders are cancelled; restart the bot`);
    orders.context.setTradingState(`pair:${pair}`, 'HALTED', why);
    orders.cancelAll('the scales of the market changed', (order) => order.pair === pair);
  }

  *#readFees(pair: string): Procedure {
    const reply = yield* call({
      priority: 'read',
      request: () => ({ kind: 'fees', pair }),
    });
    if (reply.kind === 'ok') this.#options.onFees(pair, reply.value);
  }
}

function hasScalesOf(rules: Market, market: Market): boolean {
  return (
    rules.priceScale === market.priceScale &&
    rules.volumeScale === market.volumeScale &&
    rules.base === market.base &&
    rules.counter === market.counter
  );
}

function describe({ base, counter, priceScale, volumeScale }: Market): string {
  return `${priceScale} decimals for prices in ${counter} and ${volumeScale} for volumes in ${base}`;
}
