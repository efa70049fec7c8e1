/**
 * Booked fills that a strategy has not handled, because it failed in that step, had stopped or had
 * not started. They are stored in the step that books them, and delivered when the strategy starts,
 * in this run or the next.
 *
 * Invariant: at most {@link keptMax} fills are kept for a strategy. If there are more, the oldest
 * are dropped, and an incident is recorded.
 */
import { decimalOf } from '../domain/money.ts';
import type { Fill } from '../strategy/own-views.ts';
import type { EngineContext } from './engine-context.ts';

export type MissedFill = { readonly pair: string; readonly fill: Fill };

const keptMax = 1_000;
const namePrefix = 'missed fills ';

export class MissedFills {
  readonly #context: EngineContext;
  readonly #missed = new Map<string, MissedFill[]>();
  /** Strategies with dropped fills in this run. */
  readonly #dropping = new Set<string>();

  constructor(
    context: EngineContext,
    stored: readonly { readonly name: string; readonly state: string }[],
  ) {
    this.#context = context;
    for (const { name, state } of stored)
      if (name.startsWith(namePrefix))
        this.#missed.set(name.slice(namePrefix.length), storedFills(state));
  }

  /** Keeps a booked fill until {@link take}; a provisional one is reported again when booked. */
  add(strategyId: string, missed: MissedFill): void {
    if (!missed.fill.booked) return;
    const list = this.#missed.get(strategyId) ?? [];
    list.push(missed);
    if (list.length > keptMax) {
      list.shift();
      this.#noteDropped(strategyId);
    }
    this.#missed.set(strategyId, list);
    this.#keep(strategyId, list);
  }

  /** Returns and removes the fills that a strategy has missed, oldest first. */
  take(strategyId: string): readonly MissedFill[] {
    const list = this.#missed.get(strategyId) ?? [];
    if (list.length === 0) return list;
    this.#missed.delete(strategyId);
    this.#keep(strategyId, []);
    return list;
  }

  #noteDropped(strategyId: string): void {
    if (this.#dropping.has(strategyId)) return;
    this.#dropping.add(strategyId);
    const text = `${strategyId} has not handled ${keptMax} fills, the most that are kept: older ones are dropped from now on`;
    this.#context.incident('FILLS_MISSED', text);
  }

  #keep(strategyId: string, list: readonly MissedFill[]): void {
    this.#context.keepRiskState(`${namePrefix}${strategyId}`, JSON.stringify(list));
  }
}

type StoredFill = {
  readonly pair: string;
  readonly fill: Omit<Fill, 'fees' | 'atMs'> & {
    readonly fees?: { readonly base: string; readonly counter: string };
    readonly atMs?: number;
  };
};

/** Returns stored fills; an older version stored neither their fees nor their time. */
function storedFills(state: string): MissedFill[] {
  return (JSON.parse(state) as readonly StoredFill[]).map(({ pair, fill }) => {
    const { fees = { base: '0', counter: '0' }, atMs = 0 } = fill;
    const { base, counter } = fees;
    const decimals = { base: decimalOf(base), counter: decimalOf(counter) };
    return { pair, fill: { ...fill, fees: Object.freeze(decimals), atMs } };
  });
}
