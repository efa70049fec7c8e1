/**
 * Says once when a strategy stops trading on a pair, why, and when that is over; and knows at any
 * time what keeps each of them from trading. It only looks: it changes nothing of what is traded.
 *
 * Invariants: a block that begins and ends within its grace is not mentioned, and one that comes
 * and goes by itself at most once a minute; what is stored is written in the step that mentions it.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import type { Notice } from '../../domain/notice.ts';
import {
  type TradingBlock,
  type TradingBlockKind,
  tradingBlockName,
} from '../../domain/trading-block.ts';
import type { EngineContext } from '../engine-context.ts';
import { blockOf, type TradingSituation } from './trading-situation.ts';

const lookEveryMs = 250;
/** What is away for less is not over: some causes flicker. */
const lingerMs = 1_000;

/** How long a block must last to be mentioned, and how. */
type Manner = {
  readonly graceMs: number;
  readonly level: Notice['level'] | undefined;
  /** How long no line says it again, if it comes and goes. */
  readonly restMs: number;
};

const atOnce: Manner = { graceMs: 0, level: 'warn', restMs: 0 };
const soon: Manner = { graceMs: 1_000, level: 'warn', restMs: 60_000 };
const afterAWhile: Manner = { graceMs: 3_000, level: 'warn', restMs: 60_000 };
/** Another line says it already, or it is what the strategy wants. */
const unsaid: Manner = { graceMs: 0, level: undefined, restMs: 0 };

const manners: Readonly<Record<TradingBlockKind, Manner>> = {
  stopping: unsaid,
  'strategy-ended': atOnce,
  halted: atOnce,
  standstill: atOnce,
  throttled: atOnce,
  clock: afterAWhile,
  'not-started': afterAWhile,
  book: soon,
  'not-reconciled': afterAWhile,
  'market-closed': soon,
  'unknown-order': soon,
  'call-limit': soon,
  'cool-down': atOnce,
  approval: { graceMs: 0, level: 'warn', restMs: 60_000 },
  reducing: atOnce,
  refused: afterAWhile,
  rejected: afterAWhile,
  idle: unsaid,
  'no-request': { graceMs: 0, level: 'info', restMs: 60_000 },
};

type Watched = {
  readonly strategyId: string;
  readonly pair: string;
  /** What holds now, also within its grace. */
  block: TradingBlock | undefined;
  /** Since when nothing holds any more, while {@link block} lingers. */
  goneMs: number | undefined;
  /** Whether it has outlasted its grace. */
  isShown: boolean;
  /** As the line said it that names the present block; undefined if none does. */
  said: TradingBlock | undefined;
  /** When a block of each kind was mentioned last. */
  readonly saidMs: Map<TradingBlockKind, number>;
};

export type TradingWatchOptions = {
  readonly context: Pick<
    EngineContext,
    'nowMs' | 'hasOutputs' | 'notice' | 'keepRiskState' | 'wakeAfter'
  >;
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
  readonly situationOf: (strategyId: string, pair: string) => TradingSituation;
};

export class TradingWatch {
  readonly #options: TradingWatchOptions;
  readonly #watched: readonly Watched[];
  #lookAtMs = Number.NEGATIVE_INFINITY;
  #isWakeArmed = false;

  constructor(options: TradingWatchOptions) {
    this.#options = options;
    this.#watched = options.strategies.flatMap(({ id: strategyId, pairs }) =>
      pairs.map((pair) => ({
        ...{
          strategyId,
          pair,
          block: undefined,
          isShown: false,
          said: undefined,
          goneMs: undefined,
        },
        saidMs: new Map(),
      })),
    );
  }

  /** What keeps strategies from trading at present. */
  get blocks(): readonly TradingBlock[] {
    return this.#watched.flatMap(({ block, isShown }) =>
      block === undefined || !isShown ? [] : [block],
    );
  }

  /** Looks at every strategy, at most four times a second. */
  look(): void {
    const { context } = this.#options;
    if (context.nowMs < this.#lookAtMs) {
      // What this step has brought is seen soon, also if no other step follows.
      if (context.hasOutputs) this.#arm(this.#lookAtMs - context.nowMs);
      return;
    }
    this.#lookAtMs = context.nowMs + lookEveryMs;
    const begun: Watched[] = [];
    const ended: { readonly watched: Watched; readonly block: TradingBlock }[] = [];
    for (const watched of this.#watched) {
      const before = watched.said;
      if (!this.#update(watched)) continue;
      if (watched.isShown && this.#mayBeSaid(watched)) begun.push(watched);
      else if (before !== undefined && isFreeOf(watched.block))
        ended.push({ watched, block: before });
    }
    this.#sayBegun(begun);
    for (const one of ended) this.#sayEnded(one.watched, one.block);
    if (this.#watched.some(({ block }) => block !== undefined)) this.#arm(2 * lookEveryMs);
  }

  /** Takes what holds now; returns whether that is another block, shown or gone. */
  #update(watched: Watched): boolean {
    const { context, situationOf } = this.#options;
    const { strategyId, pair, block: before, isShown: wasShown } = watched;
    const found = blockOf(situationOf(strategyId, pair));
    if (found === undefined && this.#lingers(watched)) return false;
    watched.goneMs = undefined;
    const goesOn = found !== undefined && found.kind === before?.kind;
    if (!goesOn) watched.said = undefined;
    const knownMs = goesOn ? before?.sinceMs : undefined;
    const sinceMs = found?.sinceMs ?? knownMs ?? context.nowMs;
    const block = found && { strategyId, pair, ...found, sinceMs };
    watched.block = block;
    watched.isShown = block !== undefined && context.nowMs - sinceMs >= manners[block.kind].graceMs;
    const isNews = watched.isShown ? !(wasShown && areAlike(block, before)) : wasShown;
    if (isNews) this.#keep(watched);
    return isNews;
  }

  #lingers(watched: Watched): boolean {
    const { block, isShown } = watched;
    if (block === undefined || !isShown || manners[block.kind].restMs === 0) return false;
    watched.goneMs ??= this.#options.context.nowMs;
    return this.#options.context.nowMs - watched.goneMs < lingerMs;
  }

  #mayBeSaid({ block, saidMs }: Watched): boolean {
    if (block === undefined) return false;
    const { level, restMs } = manners[block.kind];
    const lastMs = saidMs.get(block.kind) ?? Number.NEGATIVE_INFINITY;
    return level !== undefined && this.#options.context.nowMs - lastMs >= restMs;
  }

  #keep({ strategyId, pair, block, isShown }: Watched): void {
    const state = JSON.stringify(isShown ? block : null);
    this.#options.context.keepRiskState(tradingBlockName(strategyId, pair), state);
  }

  /** One line for all that have the same cause. */
  #sayBegun(begun: readonly Watched[]): void {
    const { context } = this.#options;
    for (const alike of Map.groupBy(begun, ({ block }) => sentenceOf(block)).values()) {
      const block = alike[0]?.block;
      if (block === undefined) continue;
      for (const watched of alike) {
        watched.said = block;
        watched.saidMs.set(block.kind, context.nowMs);
      }
      const who = alike.map(({ strategyId, pair }) => `${strategyId} ${pair}`).join(', ');
      const verb = alike.length === 1 ? 'does not trade' : 'do not trade';
      const { kind, remedy } = block;
      context.notice({
        level: manners[kind].level ?? 'info',
        topic: 'state',
        text: `${who} ${verb}: ${sentenceOf(block)}`,
        ...(remedy === undefined ? {} : { remedy }),
      });
    }
  }

  #sayEnded({ strategyId, pair }: Watched, { sinceMs, reason }: TradingBlock): void {
    const { context } = this.#options;
    const seconds = Math.max(1, Math.round((context.nowMs - sinceMs) / 1000));
    const text = `${strategyId} ${pair} may trade again after ${seconds} s; the cause was: ${reason}`;
    context.notice({ level: 'info', topic: 'state', text });
  }

  /** What begins or ends without an event is seen, too. */
  #arm(afterMs: number): void {
    if (this.#isWakeArmed) return;
    this.#isWakeArmed = true;
    this.#options.context.wakeAfter(afterMs, () => {
      this.#isWakeArmed = false;
    });
  }
}

function sentenceOf(block: TradingBlock | undefined): string {
  return block === undefined ? '' : `${block.reason}; ends ${block.ends}`;
}

/** Whether nothing but the strategy's own choice keeps it from trading. */
function isFreeOf(block: TradingBlock | undefined): boolean {
  return block === undefined || block.kind === 'idle' || block.kind === 'no-request';
}

/** Whether two blocks differ in numbers only. */
function areAlike(block: TradingBlock | undefined, before: TradingBlock | undefined): boolean {
  return alikeOf(block) === alikeOf(before);
}

function alikeOf(block: TradingBlock | undefined): string {
  return block === undefined ? '' : `${block.kind} ${block.reason.replace(/\d+(?:\.\d+)?/gu, '#')}`;
}
