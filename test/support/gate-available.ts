/**
 * What a strategy of the gate's proof reads as available, and whether an order of exactly that
 * amount has its funds by the gate.
 */
import { Decimal, type Lots } from '../../src/domain/money.ts';
import { FillHistory } from '../../src/engine/account/fill-history.ts';
import { EngineMarket } from '../../src/engine/engine-market.ts';
import { StrategyReads } from '../../src/engine/strategy-reads.ts';
import { Positions } from '../../src/execution/fills/positions.ts';
import { OrderTracker } from '../../src/execution/orders/order-tracker.ts';
import { checkInputOf } from '../../src/risk/check.ts';
import { checkFunds } from '../../src/risk/checks/funds-check.ts';
import type { Exposure } from '../../src/risk/exposure.ts';
import type { GateFacts } from '../../src/risk/gate-facts.ts';
import { type GateLimits, type GateSettings, gateLimitsOf } from '../../src/risk/gate-limits.ts';
import type { Proposal } from '../../src/risk/proposal.ts';
import { gateMarkets } from './gate-rules.ts';

/** `none`: not as much as a lot was available. */
export type FundsAnswer = 'none' | 'enough' | 'too little';

const lotsMax = 1e12;

export class AvailableOrders {
  readonly #limits: GateLimits;
  /** By strategy; and the same with a planted fault: they read all that is free. */
  readonly #right = new Map<string, StrategyReads>();
  readonly #faulty = new Map<string, StrategyReads>();

  constructor(settings: GateSettings, exposure: Exposure) {
    const limits = gateLimitsOf(settings);
    const [market] = gateMarkets;
    if (market === undefined) throw new RangeError('there must be markets');
    this.#limits = limits;
    for (const { id, pairs, budget } of settings.strategies) {
      const facts = { market, makerFee: '0', takerFee: '0', lastTrade: undefined };
      const readsWith = (counters: readonly string[]) =>
        new StrategyReads({
          ...{ strategyId: id, budget, exposure, history: [], tracker: new OrderTracker() },
          market: new EngineMarket(facts, 0, Number.POSITIVE_INFINITY),
          feeBuffer: limits.feeBuffer,
          pairLimits: limits.pairs.get(market.pair),
          counters: new Set(counters),
          positions: new Positions(),
          fills: new FillHistory([{ id, pairs: [market.pair] }]),
        });
      const traded = gateMarkets.filter(({ pair }) => pairs.includes(pair));
      this.#right.set(id, readsWith(traded.map(({ counter }) => counter)));
      this.#faulty.set(id, readsWith([]));
    }
  }

  /** Asks for the order at its price and side, of exactly what its strategy reads as available. */
  ask(proposal: Proposal, facts: GateFacts, isFaulty: boolean): FundsAnswer {
    const { strategyId, pair, side, price, pays } = proposal;
    const market = gateMarkets.find((one) => one.pair === pair);
    const reads = (isFaulty ? this.#faulty : this.#right).get(strategyId);
    if (this.#limits.strategies.get(strategyId)?.pairs.has(pair) !== true) return 'none';
    if (market === undefined || reads === undefined) return 'none';
    const { base, counter, priceScale, volumeScale } = market;
    const lot = new Decimal(10).pow(-volumeScale);
    const perLot = side === 'BID' ? lot.times(new Decimal(10).pow(-priceScale)).times(price) : lot;
    const available = reads.available(side === 'BID' ? counter : base);
    const volume = Decimal.min(available.div(perLot).floor(), lotsMax).toNumber() as Lots;
    if (volume < 1) return 'none';
    // A market order pays all of it, too: the volume that it buys with it, or that it sells.
    const scale = side === 'BID' ? priceScale + volumeScale : volumeScale;
    const all = side === 'BID' ? available : lot.times(volume);
    const paysAll = pays && all.toDecimalPlaces(scale, Decimal.ROUND_DOWN).toFixed();
    const input = checkInputOf({ ...proposal, volume, pays: paysAll }, facts, this.#limits);
    let answer: FundsAnswer = 'enough';
    const refuse = () => {
      answer = 'too little';
    };
    checkFunds(input, refuse);
    return answer;
  }
}
