/**
 * Steps through a run, forward and back. The first pass makes an index and keeps the events around
 * the wanted one, if it is known; a later event is reached by playing on, an earlier one by playing
 * the run again, which gives the same events.
 *
 * Invariant: one request is worked on at a time.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import type { OpenSteppedRun, SteppedRun } from '../../engine/stepping/stepped-run.ts';
import type { EventFacts, RunFacts } from './event-facts.ts';
import { type EntryListener, EventRecorder } from './event-recorder.ts';
import type { MarkQuery, RunIndex } from './run-index.ts';

export type DebuggedRun = {
  /** As it was given. */
  readonly name: string;
  readonly source: RunFacts['source'];
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
  readonly notes: readonly string[];
  readonly open: OpenSteppedRun;
};

export type DebugSessionOptions = {
  readonly run: DebuggedRun;
  /** What the user wants to see first: an order or a time, or the number of an event. */
  readonly wanted?: string | number | undefined;
  readonly entries?: EntryListener | undefined;
  /** Called after every few events of the first pass, with the time that it has reached. */
  readonly onStep?: ((atMicros: number) => void) | undefined;
  /** Called now and then during the first pass. */
  readonly onProgress?: ((events: number) => void) | undefined;
};

/** How many events around the wanted one are kept. */
const keptBefore = 150;
const keptAfter = 150;
const progressEvery = 65_536;

type Playing = { readonly run: SteppedRun; readonly recorder: EventRecorder };

export class DebugSession {
  readonly #options: DebugSessionOptions;
  readonly #index: RunIndex;
  readonly #notes: readonly string[];
  /** What the first pass kept. */
  readonly #first: EventRecorder;
  #playing: Playing | undefined;
  #busy: Promise<unknown> = Promise.resolve();

  private constructor(
    options: DebugSessionOptions,
    first: EventRecorder,
    notes: readonly string[],
  ) {
    this.#options = options;
    this.#first = first;
    this.#index = first.index;
    this.#notes = notes;
  }

  /** Plays the whole run once. Throws as opening and playing the run do. */
  static async open(options: DebugSessionOptions): Promise<DebugSession> {
    const { run, onStep, onProgress, wanted } = options;
    const playing = await openRun(run, {
      ...{ known: undefined, entries: undefined },
      onFirst(atMicros) {
        const wantedMs = typeof wanted === 'string' ? timeOf(wanted, atMicros / 1000) : undefined;
        if (wantedMs !== undefined) recorder.restartAtTime(wantedMs * 1000, keptAfter);
        else if (typeof wanted === 'string') recorder.restartAtOrder(wanted, keptAfter);
      },
    });
    const { recorder } = playing;
    if (typeof wanted === 'number') recorder.restartAt(wanted, wanted + keptAfter);
    try {
      for (let goal = progressEvery; ; goal += progressEvery) {
        const isAtGoal = (): boolean => {
          if (recorder.number > 0) onStep?.(recorder.index.lastMicros);
          return recorder.number >= goal;
        };
        if (!(await playing.run.play(isAtGoal))) break;
        onProgress?.(recorder.number);
      }
    } finally {
      playing.run.close();
    }
    const { index } = recorder;
    if (index.events === 0) throw new NotFoundError(`${run.name} has no events`);
    const problem = playing.run.problem();
    const notes = [
      ...run.notes,
      ...(problem === undefined ? [] : [problem]),
      ...(index.isCut ? ['the run has more decisions than the timeline can show'] : []),
    ];
    return new DebugSession(options, recorder, notes);
  }

  get facts(): RunFacts {
    const { name, source, strategies } = this.#options.run;
    const { events, firstMicros, lastMicros } = this.#index;
    return {
      ...{ name, source, events, notes: this.#notes },
      strategies: strategies.map(({ id }) => id),
      pairs: [...new Set(strategies.flatMap(({ pairs }) => pairs))],
      firstMs: firstMicros / 1000,
      lastMs: lastMicros / 1000,
      counts: this.#index.counts(),
      timeline: this.#index.timeline(),
    };
  }

  /** Returns the facts of an event. Throws ConfigError for a number that the run does not have. */
  factsOf(number: number): Promise<EventFacts> {
    return this.#inTurn(() => this.#factsOf(number));
  }

  /** Returns the facts of the events from `from` to `to`, as far as the run has them. */
  factsBetween(from: number, to: number): Promise<readonly EventFacts[]> {
    return this.#inTurn(async () => {
      const facts: EventFacts[] = [];
      const last = Math.min(to, this.#index.events);
      for (let number = Math.max(1, from); number <= last; number++)
        facts.push(await this.#factsOf(number));
      return facts;
    });
  }

  /** Plays the run again up to an event, so that code of strategies runs again at it. */
  replayTo(number: number): Promise<EventFacts> {
    return this.#inTurn(() => {
      this.#close();
      return this.#playedFacts(number);
    });
  }

  /** Returns the nearest event that the query asks for; undefined if there is none. */
  find(query: MarkQuery): number | undefined {
    return this.#index.find(query);
  }

  /**
   * Returns the event that `at` names: the one at which an order was decided (by intent id, client
   * order id or order id), or the first one at or after a time. Throws NotFoundError.
   */
  numberOf(at: string): Promise<number> {
    const timeMs = timeOf(at, this.#index.firstMicros / 1000);
    if (timeMs !== undefined) return this.#inTurn(() => this.#numberAt(timeMs * 1000, at));
    const number = this.#index.eventOfOrder(at);
    if (number !== undefined) return Promise.resolve(number);
    return Promise.reject(this.#noOrder(at));
  }

  close(): void {
    this.#close();
  }

  #close(): void {
    this.#playing?.run.close();
    this.#playing = undefined;
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#busy.then(work);
    this.#busy = turn.catch(() => {});
    return turn;
  }

  async #factsOf(number: number): Promise<EventFacts> {
    const known = this.#playing?.recorder.factsOf(number) ?? this.#first.factsOf(number);
    return known ?? this.#playedFacts(number);
  }

  async #playedFacts(number: number): Promise<EventFacts> {
    const { events } = this.#index;
    if (!Number.isSafeInteger(number) || number < 1 || number > events)
      throw new ConfigError(`event ${number} does not exist: the run has events 1 to ${events}`);
    const { run, recorder } = await this.#playingBefore(number);
    const goal = Math.min(events, number + keptAfter);
    await run.play(() => recorder.number >= goal);
    const facts = recorder.factsOf(number);
    if (facts === undefined)
      throw new NotFoundError(`event ${number} did not come when the run was played again`);
    return facts;
  }

  /** Returns the run before an event, from which on it keeps facts: the open one, or a new one. */
  async #playingBefore(number: number): Promise<Playing> {
    const from = Math.max(1, number - keptBefore);
    const open = this.#playing;
    if (open !== undefined && open.recorder.number < number) {
      const isNext = open.recorder.kept.length > 0 && open.recorder.number + 1 >= from;
      if (!isNext) open.recorder.restartAt(from);
      return open;
    }
    this.#close();
    const { run, entries } = this.#options;
    const playing = await openRun(run, { known: this.#index, entries });
    playing.recorder.restartAt(from);
    this.#playing = playing;
    return playing;
  }

  async #numberAt(atMicros: number, at: string): Promise<number> {
    const { firstMicros, lastMicros, events } = this.#index;
    if (atMicros < firstMicros || atMicros > lastMicros)
      throw new NotFoundError(
        `${at} is outside the run, which is from ${isoOf(firstMicros)} to ${isoOf(lastMicros)}`,
      );
    const known = this.#first.numberAt(atMicros);
    if (known !== undefined) return known;
    for (let number = this.#index.eventBefore(atMicros); number <= events; number++)
      if ((await this.#factsOf(number)).atMs * 1000 >= atMicros) return number;
    return events;
  }

  #noOrder(id: string): NotFoundError {
    const { orderCount } = this.#index;
    const near = this.#index.idsNear(id).join(', ');
    return new NotFoundError(
      orderCount === 0
        ? `no order "${id}": the run placed none; give a time instead, such as ${isoOf(this.#index.firstMicros)}`
        : `no order "${id}" among the ${orderCount} of the run, such as ${near}, ` +
            'nor is it a time such as 2026-11-20T12:30:00Z or 12:30',
    );
  }
}

async function openRun(
  run: DebuggedRun,
  options: Pick<ConstructorParameters<typeof EventRecorder>[0], 'known' | 'entries' | 'onFirst'>,
): Promise<Playing> {
  const recorder = new EventRecorder({ strategies: run.strategies, ...options });
  const opened = await run.open(recorder);
  recorder.run = opened;
  return { run: opened, recorder };
}

/** Returns the time that `text` names; one without a date is of the day of `firstMs`, in UTC. */
function timeOf(text: string, firstMs: number): number | undefined {
  const clock = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/u.test(text);
  const full = clock
    ? `${new Date(firstMs).toISOString().slice(0, 10)}T${text.padStart(text.length + (text.indexOf(':') === 1 ? 1 : 0), '0')}Z`
    : text;
  if (!/^\d{4}-\d{2}-\d{2}(?:T|$)/u.test(full)) return undefined;
  const ms = Date.parse(
    full.includes('T') && !/(?:Z|[+-]\d{2}:\d{2})$/u.test(full) ? `${full}Z` : full,
  );
  return Number.isNaN(ms) ? undefined : ms;
}

function isoOf(micros: number): string {
  return new Date(Math.floor(micros / 1000)).toISOString();
}
