/** Follows a run for its status: owns the parts that are not in the engine, and composes it. */
import type { BotStatus } from '../../domain/bot-status.ts';
import type { Notice } from '../../domain/notice.ts';
import type { StoreRecord } from '../../domain/records.ts';
import type { SeriesPoint } from '../../domain/strategy-output.ts';
import type { ExchangePort } from '../../engine/exchange-port.ts';
import type { SystemClock } from '../../runtime/clock.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { composeStatus, type StatusSources } from './compose-status.ts';
import { OrderLatency } from './order-latency.ts';
import { PresenceSamples, sampledEveryMs } from './presence-samples.ts';
import { RunHistory } from './run-history.ts';
import { RunNotes } from './run-notes.ts';
import { SeriesHistory } from './series-history.ts';

export type RunStatusOptions = Pick<
  StatusSources,
  'settings' | 'engine' | 'startedMs' | 'waitingMs' | 'aheadOf'
> & {
  readonly store: Pick<SqliteStore, 'reports' | 'runId'>;
  readonly clock: SystemClock;
  readonly timers: Timers;
};

export class RunStatus {
  readonly notes: RunNotes;
  readonly #sources: StatusSources;
  readonly #clock: SystemClock;
  readonly #cancel: Cancel;

  constructor(options: RunStatusOptions) {
    const { engine, store, clock, timers } = options;
    const markets = new Map([...engine.markets].map(([pair, { market }]) => [pair, market]));
    this.#clock = clock;
    const notes = new RunNotes(engine, store.reports, () => this.#nowMs());
    this.notes = notes;
    this.#sources = {
      ...options,
      runId: store.runId,
      pid: process.pid,
      notes,
      history: new RunHistory(markets, store.reports, (fill) => notes.noteFill(fill)),
      latency: new OrderLatency(clock),
      presence: new PresenceSamples(engine),
      series: new SeriesHistory(),
    };
    const { history, presence } = this.#sources;
    this.#cancel = timers.every(
      sampledEveryMs,
      () => {
        presence.sample();
        history.catchUp();
        notes.advance();
      },
      { unref: true },
    );
  }

  /** Returns a port that does what `exchange` does, and measures its orders. */
  measured(exchange: ExchangePort): ExchangePort {
    return this.#sources.latency.measured(exchange);
  }

  noteCommitted(records: readonly StoreRecord[]): void {
    this.#sources.history.noteCommitted(records);
  }

  noteNotice(notice: Notice): void {
    this.#sources.history.noteNotice(notice, this.#nowMs());
  }

  notePoint(point: SeriesPoint): void {
    this.#sources.series.note(point);
  }

  compose(): BotStatus {
    return composeStatus(this.#sources, this.#nowMs());
  }

  /** Call it before the driver stores its last records. */
  close(): void {
    this.#cancel();
    this.#sources.history.catchUp();
    this.notes.advance();
    this.notes.endCommands();
  }

  #nowMs(): number {
    return Math.floor(this.#clock.nowMicros() / 1000);
  }
}
