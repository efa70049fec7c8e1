/**
 * Reports once when and why a strategy stops trading on a pair, and when it may trade again; knows
 * at any time what keeps each strategy from trading. It does not affect the trading.
 *
 * Invariants: a block that ends within its grace period is not reported; a block that comes and
 * goes is reported at most once a minute; a block is stored in the step that reports it.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import type { Notice } from '../../domain/notice.ts';
import {
  againVerb,
  blockVerb,
  type TradingBlock,
  type TradingBlockKind,
  tradingBlockName,
} from '../../domain/trading-block.ts';
import type { EngineContext } from '../engine-context.ts';
import { blockOf, type TradingSituation } from './trading-situation.ts';

const checkEveryMs = 250;
/** A block whose cause is gone for less than this continues, because some causes flicker. */
const lingerMs = 1_000;

/** When and how a block is reported. */
type ReportRule = {
  readonly graceMs: number;
  readonly level: Notice['level'] | undefined;
  /** The minimum time between two reports, if the block comes and goes. */
  readonly repeatMs: number;
};

const atOnce: ReportRule = { graceMs: 0, level: 'warn', repeatMs: 0 };
const soon: ReportRule = { graceMs: 1_000, level: 'warn', repeatMs: 60_000 };
const delayed: ReportRule = { graceMs: 3_000, level: 'warn', repeatMs: 60_000 };
/** Another notice already reports it, or the strategy itself wants no orders. */
const never: ReportRule = { graceMs: 0, level: undefined, repeatMs: 0 };

const reportRules: Readonly<Record<TradingBlockKind, ReportRule>> = {
  stopping: never,
  'strategy-ended': atOnce,
  halted: atOnce,
  standstill: atOnce,
  throttled: atOnce,
  clock: delayed,
  'not-started': delayed,
  book: soon,
  'not-reconciled': delayed,
  'market-closed': soon,
  'unknown-order': soon,
  'call-limit': soon,
  'cool-down': atOnce,
  approval: { graceMs: 0, level: 'warn', repeatMs: 60_000 },
  reducing: atOnce,
  refused: delayed,
  rejected: delayed,
  feed: delayed,
  idle: never,
  'no-request': { graceMs: 0, level: 'info', repeatMs: 60_000 },
};

type Watched = {
  readonly strategyId: string;
  readonly pair: string;
  /** The current block, also within its grace period. */
  block: TradingBlock | undefined;
  /** Since when the cause of {@link block} is gone; undefined while it is there. */
  goneMs: number | undefined;
  /** Whether the block has outlasted its grace period. */
  isShown: boolean;
  /** The current block as last reported; undefined if it has not been reported. */
  reported: TradingBlock | undefined;
  /** When a block of each kind was last reported. */
  readonly reportedMs: Map<TradingBlockKind, number>;
};

export type TradingWatchOptions = {
  readonly context: Pick<
    EngineContext,
    'nowMs' | 'hasOutputs' | 'notice' | 'keepRiskState' | 'wakeAfter'
  >;
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
  readonly situationOf: (strategyId: string, pair: string) => TradingSituation;
  /** Names of the blocks that an earlier run stored; they are removed at the first check. */
  readonly storedNames: readonly string[];
};

export class TradingWatch {
  readonly #options: TradingWatchOptions;
  readonly #watched: readonly Watched[];
  #checkAtMs = Number.NEGATIVE_INFINITY;
  #isWakeScheduled = false;
  #storedNames: readonly string[];

  constructor(options: TradingWatchOptions) {
    this.#options = options;
    this.#storedNames = options.storedNames;
    this.#watched = options.strategies.flatMap(({ id: strategyId, pairs }) =>
      pairs.map((pair) => ({
        ...{
          strategyId,
          pair,
          block: undefined,
          isShown: false,
          reported: undefined,
          goneMs: undefined,
        },
        reportedMs: new Map(),
      })),
    );
  }

  /** What keeps strategies from trading now. */
  get blocks(): readonly TradingBlock[] {
    return this.#watched.flatMap(({ block, isShown }) =>
      block === undefined || !isShown ? [] : [block],
    );
  }

  /**
   * Checks every strategy, at most four times a second; always when `isOver`, since a bot whose
   * strategies have all ended stops at once.
   */
  check(isOver: boolean): void {
    const { context } = this.#options;
    if (!isOver && context.nowMs < this.#checkAtMs) {
      // The outputs of this step are checked soon, even if no other step follows.
      if (context.hasOutputs) this.#scheduleWake(this.#checkAtMs - context.nowMs);
      return;
    }
    this.#checkAtMs = context.nowMs + checkEveryMs;
    this.#removeStored();
    const begun: Watched[] = [];
    const ended: { readonly watched: Watched; readonly block: TradingBlock }[] = [];
    for (const watched of this.#watched) {
      const before = watched.reported;
      if (!this.#update(watched)) continue;
      if (watched.isShown && this.#mayReport(watched)) begun.push(watched);
      else if (before !== undefined && isFreeOf(watched.block))
        ended.push({ watched, block: before });
    }
    this.#reportBegun(begun);
    for (const { watched, block } of ended) this.#reportEnded(watched, block);
    if (this.#watched.some(({ block }) => block !== undefined))
      this.#scheduleWake(2 * checkEveryMs);
  }

  /** Removes the blocks of an earlier run, which has ended. */
  #removeStored(): void {
    for (const name of this.#storedNames) this.#options.context.keepRiskState(name, 'null');
    this.#storedNames = [];
  }

  /** Updates the current block; returns whether the shown block has changed. */
  #update(watched: Watched): boolean {
    const { context, situationOf } = this.#options;
    const { strategyId, pair, block: before, isShown: wasShown } = watched;
    const found = blockOf(situationOf(strategyId, pair));
    if (found === undefined && this.#lingers(watched)) return false;
    watched.goneMs = undefined;
    const continues = found !== undefined && found.kind === before?.kind;
    if (!continues) watched.reported = undefined;
    const knownMs = continues ? before?.sinceMs : undefined;
    const sinceMs = found?.sinceMs ?? knownMs ?? context.nowMs;
    const block = found && { strategyId, pair, ...found, sinceMs };
    watched.block = block;
    watched.isShown =
      block !== undefined && context.nowMs - sinceMs >= reportRules[block.kind].graceMs;
    const hasChanged = watched.isShown ? !(wasShown && areAlike(block, before)) : wasShown;
    if (hasChanged) this.#store(watched);
    return hasChanged;
  }

  #lingers(watched: Watched): boolean {
    const { block, isShown } = watched;
    if (block === undefined || !isShown || reportRules[block.kind].repeatMs === 0) return false;
    watched.goneMs ??= this.#options.context.nowMs;
    return this.#options.context.nowMs - watched.goneMs < lingerMs;
  }

  #mayReport({ block, reportedMs }: Watched): boolean {
    if (block === undefined) return false;
    const { level, repeatMs } = reportRules[block.kind];
    const lastMs = reportedMs.get(block.kind) ?? Number.NEGATIVE_INFINITY;
    return level !== undefined && this.#options.context.nowMs - lastMs >= repeatMs;
  }

  #store({ strategyId, pair, block, isShown }: Watched): void {
    const state = JSON.stringify(isShown ? block : null);
    this.#options.context.keepRiskState(tradingBlockName(strategyId, pair), state);
  }

  /** Sends one notice for all strategies and pairs that have the same cause. */
  #reportBegun(begun: readonly Watched[]): void {
    const { context } = this.#options;
    const causeOf = ({ block }: Watched) => `${block?.only ?? ''} ${sentenceOf(block)}`;
    for (const alike of Map.groupBy(begun, causeOf).values()) {
      const block = alike[0]?.block;
      if (block === undefined) continue;
      for (const watched of alike) {
        watched.reported = block;
        watched.reportedMs.set(block.kind, context.nowMs);
      }
      const who = alike.map(({ strategyId, pair }) => `${strategyId} ${pair}`).join(', ');
      const { kind, remedy } = block;
      context.notice({
        level: reportRules[kind].level ?? 'info',
        topic: 'state',
        text: `${who} ${blockVerb(block, alike.length)}: ${sentenceOf(block)}`,
        ...(remedy === undefined ? {} : { remedy }),
      });
    }
  }

  #reportEnded({ strategyId, pair }: Watched, block: TradingBlock): void {
    const { context } = this.#options;
    const seconds = Math.max(1, Math.round((context.nowMs - block.sinceMs) / 1000));
    const text = `${strategyId} ${pair} ${againVerb(block)} after ${seconds} s; the cause was: ${block.reason}`;
    context.notice({ level: 'info', topic: 'state', text });
  }

  /** Wakes the engine, so that a block that begins or ends without an event is noticed. */
  #scheduleWake(afterMs: number): void {
    if (this.#isWakeScheduled) return;
    this.#isWakeScheduled = true;
    this.#options.context.wakeAfter(afterMs, () => {
      this.#isWakeScheduled = false;
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

/** Whether two blocks are equal except for numbers. */
function areAlike(block: TradingBlock | undefined, before: TradingBlock | undefined): boolean {
  return textWithoutNumbers(block) === textWithoutNumbers(before);
}

function textWithoutNumbers(block: TradingBlock | undefined): string {
  if (block === undefined) return '';
  const { kind, only = '', reason } = block;
  return `${kind} ${only} ${reason.replace(/\d+(?:\.\d+)?/gu, '#')}`;
}
