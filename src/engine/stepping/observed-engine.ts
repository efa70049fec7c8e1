/**
 * An engine whose every step is seen by an observer. It steps one event at a time: what a usual
 * engine passes together, because nothing follows from it, is a step of its own here, with the same
 * results.
 */

import type { RunResults } from '../../execution/orders/run-results.ts';
import type { DelayedMessages } from '../../market/feed/delayed-messages.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import type { VenueReport } from '../../venue/venue-report.ts';
import { Engine } from '../engine.ts';
import type { EngineMarket } from '../engine-market.ts';
import type { EngineStart } from '../engine-start.ts';
import type { EngineEvent, Step } from '../event.ts';
import type { MarketAction } from '../market-data-handler.ts';
import type { StepInput, StepObserver } from './step-observer.ts';

/** Returns an engine, observed if there is an observer. */
export function engineOf(
  start: EngineStart,
  plugins: ReadonlyMap<string, PreparedStrategy>,
  {
    results,
    observer,
  }: { readonly results?: RunResults; readonly observer?: StepObserver | undefined },
): Engine {
  if (observer === undefined) return new Engine(start, plugins, results);
  return new ObservedEngine(start, plugins, observer, results);
}

const nothing: Step = { records: [], effects: [] };
const tick = { kind: 'tick' } as const;

type ReplyEvent = Extract<EngineEvent, { kind: 'reply' }>;

class ObservedEngine extends Engine {
  readonly #observer: StepObserver;

  constructor(
    start: EngineStart,
    plugins: ReadonlyMap<string, PreparedStrategy>,
    observer: StepObserver,
    results: RunResults | undefined,
  ) {
    super(start, plugins, results, observer);
    this.#observer = observer;
  }

  #watch<Result extends Step | undefined>(
    atMicros: number,
    input: StepInput,
    work: () => Result,
  ): Result {
    this.#observer.began(atMicros, input);
    const step = work();
    this.#observer.ended(step ?? nothing);
    return step;
  }

  override step(atMicros: number, event: EngineEvent): Step {
    return this.#watch(atMicros, event, () => super.step(atMicros, event));
  }

  override stepReport(atMicros: number, report: VenueReport): Step | undefined {
    const input = { kind: 'report', report } as const;
    return this.#watch(atMicros, input, () => super.stepReport(atMicros, report));
  }

  override stepReplies(atMicros: number, replies: readonly ReplyEvent[]): Step | undefined {
    const input = { kind: 'replies', replies } as const;
    return this.#watch(atMicros, input, () => super.stepReplies(atMicros, replies));
  }

  override stepTick(atMicros: number): Step | undefined {
    return this.#watch(atMicros, tick, () => super.stepTick(atMicros));
  }

  override stepRecorded(atMicros: number, pair: string, apply: MarketAction): Step {
    const input = { kind: 'flow', pair } as const;
    return this.#watch(atMicros, input, () => super.stepRecorded(atMicros, pair, apply));
  }

  override stepFlow(
    atMicros: number,
    market: EngineMarket,
    flow: DelayedMessages,
  ): Step | undefined {
    const input = { kind: 'flow', pair: market.market.pair } as const;
    return this.#watch(atMicros, input, () => super.stepFlow(atMicros, market, flow));
  }

  override mayPassTick(): boolean {
    return false;
  }

  override isQuiet(): boolean {
    return false;
  }
}
