/**
 * Submits orders to the gate and passes approved orders to the executor. Every decision is stored,
 * with the inputs of the checks and the version of the limits.
 */
import type { QuotedOrder } from '../domain/intent.ts';
import { formatTicks, type Market } from '../domain/market.ts';
import { countedTermsOf, sizeText } from '../domain/market-order.ts';
import {
  isMarketTerms,
  type MarketTerms,
  type OwnTerms,
  stopOf,
  type Terms,
} from '../domain/order.ts';
import { refusalText } from '../domain/refusal-text.ts';
import { base36Of } from '../execution/orders/client-order-id.ts';
import type { Executor } from '../execution/orders/executor.ts';
import { approvalTokenOf } from '../risk/approvals.ts';
import type { Refusal } from '../risk/check.ts';
import { distance2Of, referenceOf } from '../risk/collar-budget.ts';
import type { Approved, Gate, Verdict } from '../risk/gate.ts';
import type { GateFacts } from '../risk/gate-facts.ts';
import { marketPriceOf } from '../risk/market-price.ts';
import type { Proposal } from '../risk/proposal.ts';
import type { CrossedOrder } from '../strategy/parts/wanted-quotes.ts';
import type { FillHistory } from './account/fill-history.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineServices } from './engine-services.ts';
import { planLater, type QuoteTarget, refusedRetryMs } from './quoting/quote-target.ts';
import type { StrategyInbox } from './strategy-inbox.ts';

export type OrderRouterOptions = {
  readonly context: EngineServices;
  readonly executor: Executor;
  readonly gate: Gate;
  /** The facts as of now. */
  readonly facts: () => GateFacts;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly accounts: Readonly<Record<string, string>>;
  readonly inbox: StrategyInbox;
  readonly history: FillHistory;
  /** Called after each decision. */
  readonly onDecided: (verdict: Verdict['kind']) => void;
};

/** One order that a strategy wants: from a `place` intent, or as a level of a quote. */
export type DesiredOrder = {
  readonly key: string | undefined;
  readonly level: string | undefined;
  readonly terms: Terms | MarketTerms;
  readonly reduceOnly?: boolean;
  readonly expiresMs?: number;
  readonly tag?: string;
  readonly reason: string;
  readonly createdMs: number;
};

/** A market, and the accounts that orders on it name. */
type RoutedMarket = {
  readonly market: Market;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
};

/** A strategy on one of its pairs. */
type StrategyPlace = Pick<QuoteTarget, 'strategyId' | 'pair'>;

export class OrderRouter {
  readonly #options: OrderRouterOptions;
  /** By pair. */
  readonly #markets = new Map<string, RoutedMarket>();

  constructor(options: OrderRouterOptions) {
    this.#options = options;
    const { accounts, markets } = options;
    for (const [pair, { market }] of markets)
      this.#markets.set(pair, {
        market,
        baseAccountId: accounts[market.base] ?? '',
        counterAccountId: accounts[market.counter] ?? '',
      });
  }

  /** Submits an order to the gate and places it if it passes; returns whether it may rest. */
  submit(target: QuoteTarget, desired: DesiredOrder): boolean {
    return this.#submit(target, desired, true);
  }

  /** As {@link submit}, but a refusal has no consequences: the caller can do without the order. */
  submitIfApproved(target: QuoteTarget, desired: DesiredOrder): boolean {
    return this.#submit(target, desired, false);
  }

  #submit(target: QuoteTarget, desired: DesiredOrder, notesRefusal: boolean): boolean {
    const { gate } = this.#options;
    const { strategyId, pair } = target;
    const routed = this.#markets.get(pair);
    if (routed === undefined) return false;
    const { market } = routed;
    const facts = this.#options.facts();
    const terms = this.#countedTerms(desired.terms, routed, facts);
    if (terms === undefined) {
      const refusal = { code: 'BOOK_UNUSABLE', observed: 'no', limit: 'yes', unit: 'usable book' };
      this.refuseUnjudged(target, this.#keyOf(desired), refusal);
      return false;
    }
    const proposal: Proposal = {
      strategyId,
      pair,
      side: terms.side,
      price: terms.price,
      volume: terms.volume,
      timeInForce: terms.timeInForce ?? 'GTC',
      postOnly: terms.postOnly ?? false,
      stop: stopOf(terms),
      pays: terms.pays,
      reduceOnly: desired.reduceOnly ?? false,
      baseAccountId: routed.baseAccountId,
      counterAccountId: routed.counterAccountId,
      createdMs: desired.createdMs,
    };
    const verdict = gate.judge(proposal, facts);
    this.#options.context.observer?.judged({
      ...{ proposal, level: desired.level, key: desired.key, reason: desired.reason },
      isApproved: verdict.kind === 'approved',
      explain: () => gate.explain(proposal, facts),
    });
    if (verdict.kind === 'approved')
      return this.#place(target, desired, verdict.approved, { facts, market });
    const { refusals } = verdict;
    if (notesRefusal)
      this.#refuse(
        target,
        { ...desired, key: this.#keyOf(desired) },
        { proposal, facts, refusals },
      );
    return false;
  }

  /** Returns the terms as which an order counts; undefined for a market order without a book. */
  #countedTerms(
    terms: DesiredOrder['terms'],
    { market }: RoutedMarket,
    { pairs }: GateFacts,
  ): OwnTerms | undefined {
    if (!isMarketTerms(terms)) return terms;
    const { collar } = this.#options.gate.limits.pairs.get(market.pair) ?? {};
    const facts = pairs.get(market.pair);
    const mid2 = facts?.bookUsable === true ? facts.mid2 : undefined;
    const price = marketPriceOf(terms.side, mid2, collar, market);
    return price === undefined ? undefined : countedTermsOf(terms, price, market);
  }

  #keyOf({ key, level }: Pick<DesiredOrder, 'key' | 'level'>): string {
    return key ?? `${level}.${base36Of(this.#options.executor.nextIntentId)}`;
  }

  #place(
    target: QuoteTarget,
    desired: DesiredOrder,
    approved: Approved,
    { facts, market }: { readonly facts: GateFacts; readonly market: Market },
  ): boolean {
    const { context, executor, gate, history } = this.#options;
    const { strategyId, pair } = target;
    const { level, tag, expiresMs, reason } = desired;
    const key = this.#keyOf(desired);
    if (target.refused.size > 0) target.refused.delete(level ?? '');
    const inputs = context.keepsAllRecords ? gate.inputs(approved, facts) : undefined;
    this.#noteApproved(approved, facts);
    const origin = { strategyId, key, level, tag, expiresMs, reason };
    const order = executor.place(approved, market, origin);
    history.addOrder(order);
    if (inputs !== undefined)
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
    return !order.isFinal;
  }

  /** Refuses an intent without asking the gate: its key was used before, or it is invalid. */
  refuseUnjudged(place: StrategyPlace, key: string, refusal: Refusal): void {
    const { code, observed, limit } = refusal;
    const refused = `${code} ${key} ${observed}`;
    const refusals = [refusal];
    const text = textOf(refusals, place);
    const { strategyId, pair } = place;
    const target = this.#options.inbox.targetOf(strategyId, pair);
    if (target === undefined) {
      // It only watches the pair, so that it has no stream of refusals there.
      this.#noteRefused(place, { key, level: undefined, refusals, text, inputs: '{}' });
      return;
    }
    // A strategy that repeats a used key or a crossed quote is answered each time, but one notice
    // and record suffice. Other invalid intents are counted, and too many stop it.
    if (target.refusedUnjudged !== refused || code === 'INVALID_INTENT')
      this.#noteRefused(target, { key, level: undefined, refusals, text, inputs: '{}' });
    target.refusedUnjudged = refused;
    const { nowMs: atMs } = this.#options.context;
    target.refused.set('', { key, atMs, codes: [code], text, token: undefined });
    this.#options.inbox.send(strategyId, {
      kind: 'refusal',
      pair,
      refusal: { key, codes: [code], observed, limit },
    });
  }

  /** Refuses an order of a quote that would trade with an order of another part. */
  refuseCrossed(target: QuoteTarget, { order, against }: CrossedOrder): void {
    const { context, inbox } = this.#options;
    const { level } = order;
    const code = 'QUOTE_CROSSED';
    const { strategyId, pair } = target;
    const market = this.#markets.get(pair)?.market;
    const text = ({ side, level, price }: QuotedOrder): string =>
      `${side} ${level} at ${market === undefined ? price : formatTicks(price, market)}`;
    const [observed, limit] = [text(order), text(against)];
    const refusals = [{ code, observed, limit, unit: 'part' }];
    const before = target.refused.get(level);
    const said = textOf(refusals, target);
    const key = this.#keyOf({ key: undefined, level });
    target.refused.set(level, {
      key,
      atMs: context.nowMs,
      codes: [code],
      text: said,
      token: undefined,
    });
    if (before?.codes.join() === code) return;
    this.#noteRefused(target, { key, level, refusals, text: said, inputs: '{}' });
    inbox.send(strategyId, {
      kind: 'refusal',
      pair,
      refusal: { key, codes: [code], observed, limit },
    });
  }

  #noteApproved(approved: Approved, { pairs, approvals, exposure, nowMs }: GateFacts): void {
    const { context } = this.#options;
    const pair = pairs.get(approved.pair);
    const reference2 = referenceOf(approved, pair?.mid2);
    if (pair === undefined || reference2 === undefined) return;
    exposure.collars.add(pair.market, {
      distance2: distance2Of(approved.price, reference2),
      volume: approved.volume,
      atMs: nowMs,
    });
    if (approvals.isEmpty) return;
    const token = approvalTokenOf(approved, pair.market);
    if (!approvals.use(token)) return;
    const reason = `used by ${approved.strategyId}`;
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
    target: QuoteTarget,
    desired: DesiredOrder & { readonly key: string },
    judged: {
      readonly proposal: Proposal;
      readonly facts: GateFacts;
      readonly refusals: readonly Refusal[];
    },
  ): void {
    const { context, gate, inbox } = this.#options;
    const { strategyId, pair } = target;
    const { key, level } = desired;
    const { proposal, facts, refusals } = judged;
    const codes = refusals.map((refusal) => refusal.code);
    if (level !== undefined) {
      // A level of a quote is judged again later; a `place` intent is judged only once.
      planLater(target, context, refusedRetryMs);
    }
    const market = facts.pairs.get(pair)?.market;
    const needsApproval = codes.includes('APPROVAL') && market !== undefined;
    const token = needsApproval ? approvalTokenOf(proposal, market) : undefined;
    const name = level ?? '';
    const before = target.refused.get(name);
    const text = textOf(refusals, target);
    target.refused.set(name, { key, atMs: context.nowMs, codes, text, token });
    // Repeated requests while trading is off are reported only once.
    const isStanding = before?.codes.join() === codes.join();
    if (isStanding && (level !== undefined || codes.includes('TRADING_STATE'))) return;
    if (token !== undefined && market !== undefined) {
      facts.approvals.noteAsked(token, `${strategyId} ${pair} ${sizeText(proposal, market)}`);
      if (level === undefined && codes.length === 1)
        target.awaiting.set(token, { ...desired, kind: 'place', pair });
    }
    const first = refusals[0] as Refusal;
    const inputs = context.keepsAllRecords ? gate.inputs(proposal, facts) : '{}';
    this.#noteRefused(target, { key, level, refusals, text, inputs });
    inbox.send(strategyId, {
      kind: 'refusal',
      pair,
      refusal: { key, codes, observed: first.observed, limit: first.limit },
    });
  }

  /** Stores and reports a refusal, and counts it for the breakers. */
  #noteRefused(
    { strategyId, pair }: StrategyPlace,
    refused: {
      readonly key: string;
      readonly level: string | undefined;
      readonly refusals: readonly Refusal[];
      readonly text: string;
      readonly inputs: string;
    },
  ): void {
    const { key, level, refusals, inputs } = refused;
    const { context, gate } = this.#options;
    context.record({
      kind: 'decision',
      atMs: context.nowMs,
      strategyId,
      pair,
      key,
      intentId: undefined,
      verdict: 'refused',
      refusals: JSON.stringify(refusals),
      inputs,
      limitsHash: gate.limits.hash,
    });
    const what = [strategyId, pair, level ?? key].filter((word) => word !== '').join(' ');
    const text = `${what} refused: ${refused.text}`;
    context.notice({ level: 'warn', topic: 'refusal', text });
    context.exposure.activity.of(strategyId).refusals.add(context.nowMs);
    this.#options.onDecided('refused');
  }
}

function textOf(refusals: readonly Refusal[], target: StrategyPlace): string {
  return refusals.map((refusal) => refusalText(refusal, target)).join('; ');
}
