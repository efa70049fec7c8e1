/**
 * What executors have in common: they look at their market after each event and each second, keep
 * their child orders as they want them, say how far they are, and end with a result.
 *
 * Invariants: nothing but the strategy's contract is used; an executor ends only when none of its
 * orders may fill any more.
 */
import { concatMap, defer, merge, type Observable, of, tap } from 'rxjs';
import type { Intent } from '../../domain/intent.ts';
import type { Decimal } from '../../domain/money.ts';
import type { Context, MarketContext } from '../contract.ts';
import { reasonOf } from '../shapes/shape-parameters.ts';
import { ChildOrders, type WantedOrder } from './child-orders.ts';

/**
 * A part of a strategy that works off one task: `context.part('entry', twap({ … }))`. It ends with
 * `done`, so it may also be the whole strategy: `run: twap({ … })`.
 */
export type ExecutorPart = <P, S>(part: Context<P, S>) => Observable<Intent>;

/** What an executor has to work with. */
export type Desk = {
  readonly part: Context<unknown, unknown>;
  readonly market: MarketContext;
  readonly orders: ChildOrders;
};

/** What an executor wants at a moment. */
export type Wish = {
  /**
   * The orders that should be open, by line; those of other lines are cancelled. Without it all
   * stay as they are.
   */
  readonly orders?: Readonly<Record<string, WantedOrder | undefined>>;
  readonly why: string;
  /** What it remembers beside its orders. */
  readonly remember?: readonly Intent[];
  /** Whether the task is over; `why` is the result. */
  readonly isDone?: boolean;
};

/** How an executor works. */
export type Plan = {
  readonly next: () => Wish;
  /** Figures for people, by name. */
  readonly progress: () => Readonly<Record<string, Decimal>>;
  /** What else it looks at its market after. */
  readonly listen?: Observable<unknown>;
};

/** Tells an executor from others. */
export type ExecutorKind = {
  readonly name: string;
  /** What must stay the same over restarts. */
  readonly about: string;
  readonly pair: string | undefined;
};

/** Returns an executor; `build` is called when it begins, and throws for what cannot be done. */
export function executor(kind: ExecutorKind, build: (desk: Desk) => Plan): ExecutorPart {
  return (context) =>
    defer(() => {
      const part = context as unknown as Context<unknown, unknown>;
      const market = marketOf(kind, part);
      const about = `${kind.about} on ${market.pair}`;
      const orders = new ChildOrders(part, market, { executor: kind.name, about });
      const plan = build({ part, market, orders });
      const step = stepsOf(kind.name, { part, market, orders }, plan);
      return merge(
        of('the start'),
        part.every(1_000),
        market.top$,
        market.usable$,
        market.fill$.pipe(tap((fill) => orders.noteFill(fill))),
        market.order$.pipe(tap((order) => orders.noteOrder(order))),
        market.refusal$.pipe(tap(({ key, codes }) => orders.noteRefusal(key, codes))),
        plan.listen ?? [],
      ).pipe(concatMap(step));
    });
}

function marketOf({ name, pair }: ExecutorKind, { pairs }: Context<unknown, unknown>) {
  const market = pair === undefined ? pairs[0] : pairs.find((one) => one.pair === pair);
  if (market !== undefined) return market;
  const allowed = pairs.map((one) => one.pair).join(', ') || 'none';
  throw new RangeError(
    `${name}: pair must be one that the strategy trades (${allowed}), was ${pair ?? 'undefined'}`,
  );
}

/**
 * Returns what is done after each event. It is a generator because what it has asked for counts
 * already when the next order is sized.
 */
function stepsOf(name: string, { part, market, orders }: Desk, plan: Plan) {
  let isBegun = false;
  let isOver = false;
  let said = '';
  const shown = new Map<string, number>();
  const show = (): void => {
    for (const [figure, exact] of Object.entries(plan.progress())) {
      // For people, not money.
      const value = exact.toNumber();
      if (shown.get(figure) !== value) part.metric(figure, value);
      shown.set(figure, value);
    }
  };
  return function* step(): Generator<Intent> {
    if (isOver) return;
    if (!isBegun) {
      if (orders.isResumed) part.log(`${name} goes on after a restart`, plan.progress());
      isBegun = true;
      yield orders.begin();
    } else yield* orders.settle();
    const { orders: wanted, why, remember = [], isDone = false } = plan.next();
    yield* remember;
    show();
    const lines = isDone ? {} : wanted;
    if (lines !== undefined)
      for (const line of new Set([...orders.openLines, ...Object.keys(lines)]))
        yield* orders.want(line, lines[line], reasonOf([why]));
    // Begun again in the same millisecond it would find these orders, as its own.
    if (isDone && orders.openLines.length === 0 && !orders.isFresh) {
      isOver = true;
      part.log(`${name}: ${why}`, plan.progress());
      yield { kind: 'done', reason: reasonOf([`${name}: ${why}`]) };
      return;
    }
    const problems = problemsOf(orders, lines ?? {});
    const reason = reasonOf([why, ...problems]);
    // Problems have amounts that follow the market.
    const kind = reasonOf([why, ...problems.map((problem) => problem.replace(/\d[\d.]*/gu, '0'))]);
    if (kind === said) return;
    said = kind;
    yield { kind: 'idle', pair: market.pair, reason };
  };
}

/** Why orders that are wanted are missing; lines with the same reason are counted together. */
function problemsOf(orders: ChildOrders, lines: NonNullable<Wish['orders']>): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of Object.keys(lines)) {
    const problem = orders.problemOf(line);
    if (problem !== undefined) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  }
  return [...counts].map(([problem, count]) =>
    count === 1 ? `no order: ${problem}` : `no order at ${count} levels: ${problem}`,
  );
}
