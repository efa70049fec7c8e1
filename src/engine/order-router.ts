/**
 * Has orders judged and hands what passes to the executor; every decision is stored, with what the
 * checks looked at and the version of the limits.
 */
import { formatLots, formatTicks } from '../domain/market.ts';
import type { Terms } from '../domain/order.ts';
import type { Executor } from '../execution/orders/executor.ts';
import { approvalTokenOf } from '../risk/approvals.ts';
import type { Refusal } from '../risk/check.ts';
import { distance2Of } from '../risk/collar-budget.ts';
import type { Approved, Gate, Verdict } from '../risk/gate.ts';
import type { GateFacts } from '../risk/gate-facts.ts';
import type { Proposal } from '../risk/proposal.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineServices } from './engine-services.ts';
import { planLater, type QuoteTarget } from './quote-target.ts';

/** A quote that was refused is judged again after this, since its reason may have passed. */
export const refusedRetryMs = 2_000;

export type OrderRouterOptions = {
  readonly context: EngineServices;
  readonly executor: Executor;
  readonly gate: Gate;
  /** The facts as of now. */
  readonly facts: () => GateFacts;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly accounts: Readonly<Record<string, string>>;
  readonly tell: (strategyId: string, event: MarketEvent) => void;
  /** Called after each decision. */
  readonly onDecided: (verdict: Verdict['kind']) => void;
};

/** One order that is wished for: by key, or as a level of a quote. */
export type DesiredOrder = {
  readonly key: string | undefined;
  readonly level: string | undefined;
  readonly terms: Terms;
  readonly reason: string;
  readonly createdMs: number;
};

export class OrderRouter {
  readonly #options: OrderRouterOptions;

  constructor(options: OrderRouterOptions) {
    this.#options = options;
  }

  /** Judges an order and places it if it passes. */
  submit(wish: QuoteTarget, wished: DesiredOrder): void {
    const { context, executor, markets, accounts, gate } = this.#options;
    const { strategyId, pair } = wish;
    const market = markets.get(pair)?.market;
    if (market === undefined) return;
    const { terms, level } = wished;
    const proposal: Proposal = {
      strategyId,
      pair,
      side: terms.side,
      price: terms.price,
      volume: terms.volume,
      timeInForce: terms.timeInForce ?? 'GTC',
      postOnly: terms.postOnly ?? false,
      baseAccountId: accounts[market.base] ?? '',
      counterAccountId: accounts[market.counter] ?? '',
      createdMs: wished.createdMs,
    };
    const facts = this.#options.facts();
    const verdict = gate.judge(proposal, facts);
    const key = wished.key ?? `${level}.${executor.nextIntentId.toString(36)}`;
    if (verdict.kind === 'refused') {
      this.#refuse(wish, { ...wished, key }, { proposal, facts, refusals: verdict.refusals });
      return;
    }
    wish.refused.delete(level ?? '');
    const inputs = gate.inputs(proposal, facts);
    this.#noteApproved(verdict.approved, facts);
    const order = executor.place(verdict.approved, market, {
      strategyId,
      key,
      level,
      reason: wished.reason,
    });
    context.record({
      kind: 'decision',
      atMs: context.nowMs,
      strategyId,
      pair,
      key,
      intentId: order.intentId,
      verdict: 'approved',
      refusals: '[]',
      inputs,
      limitsHash: gate.limits.hash,
    });
    this.#options.onDecided('approved');
  }

  #noteApproved(approved: Approved, { pairs, approvals, exposure, nowMs }: GateFacts): void {
    const { context } = this.#options;
    const pair = pairs.get(approved.pair);
    if (pair?.mid2 === undefined) return;
    exposure.collars.add(pair.market, {
      distance2: distance2Of(approved.price, pair.mid2),
      volume: approved.volume,
      atMs: nowMs,
    });
    if (approvals.isEmpty) return;
    const token = approvalTokenOf(approved, pair.market);
    if (!approvals.use(token)) return;
    const reason = `${approved.strategyId} placed it`;
    const event = 'used' as const;
    context.record({
      kind: 'approval',
      atMs: context.nowMs,
      token,
      event,
      expiresMs: nowMs,
      reason,
    });
  }

  #refuse(
    wish: QuoteTarget,
    wished: DesiredOrder & { readonly key: string },
    judged: {
      readonly proposal: Proposal;
      readonly facts: GateFacts;
      readonly refusals: readonly Refusal[];
    },
  ): void {
    const { context, gate, tell } = this.#options;
    const { strategyId, pair } = wish;
    const { key, level, terms, reason, createdMs } = wished;
    const { proposal, facts, refusals } = judged;
    const codes = refusals.map((refusal) => refusal.code);
    if (level !== undefined) {
      // A level is asked for again and again; an order by key only once.
      planLater(wish, context, refusedRetryMs);
    }
    // Of what asks on while trading is off, the first refusal says it all.
    if (level !== undefined || codes.includes('TRADING_STATE')) {
      const place = level ?? '';
      if (wish.refused.get(place) === codes.join()) return;
      wish.refused.set(place, codes.join());
    }
    const market = facts.pairs.get(pair)?.market;
    if (codes.includes('APPROVAL') && market !== undefined) {
      const token = approvalTokenOf(proposal, market);
      const volume = formatLots(terms.volume, market);
      const order = `${strategyId} ${pair} ${terms.side} ${volume} at ${formatTicks(terms.price, market)}`;
      facts.approvals.noteAsked(token, order);
      if (level === undefined && codes.length === 1)
        wish.awaiting.set(token, { kind: 'place', pair, key, terms, reason, createdMs });
    }
    const first = refusals[0] as Refusal;
    context.record({
      kind: 'decision',
      atMs: context.nowMs,
      strategyId,
      pair,
      key,
      intentId: undefined,
      verdict: 'refused',
      refusals: JSON.stringify(refusals),
      inputs: gate.inputs(proposal, facts),
      limitsHash: gate.limits.hash,
    });
    context.notice({
      level: 'warn',
      topic: 'refusal',
      text: `${strategyId} ${pair} ${level ?? key} refused: ${refusals.map(describeRefusal).join('; ')}`,
    });
    tell(strategyId, {
      kind: 'refusal',
      pair,
      refusal: { key, codes, observed: first.observed, limit: first.limit },
    });
    context.exposure.conduct.of(strategyId).refusals.add(context.nowMs);
    this.#options.onDecided('refused');
  }
}

function describeRefusal({ code, observed, limit, unit }: Refusal): string {
  return `${code} (${observed}, allowed ${limit} ${unit})`;
}
