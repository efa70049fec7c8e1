/**
 * What one bot says of itself, passed on to every page that shows it, over one connection to its
 * control socket. While somebody looks, it connects again when the bot has gone.
 *
 *     asked ──status──▶ up ──closed──▶ gone ──status──▶ back, up
 *
 * Invariants: a bot that nobody looks at is not asked; a status is passed on as soon as it comes
 * and is never queued.
 */
import { watchBot } from '../../control/control-client.ts';
import type { BotStatus } from '../../domain/bot-status.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import type { BackEvent, BotEntry, GoneEvent } from '../api/bot-answers.ts';
import type { EventStream } from '../http/event-stream.ts';

const againMs = 1_000;
/** A bot that sends no status for this time does not answer. */
const silentMs = 5_000;

export type BotFeedOptions = {
  /** The path of the control socket; undefined if the system allows none there. */
  readonly path: string | undefined;
  /** The bot as it is now known. */
  readonly entry: () => BotEntry;
  /** Notes whether the bot answers. */
  readonly note: (answers: boolean) => void;
  readonly timers: Timers;
  readonly nowMs: () => number;
};

export class BotFeed {
  readonly #options: BotFeedOptions;
  readonly #streams = new Set<EventStream>();
  #watch: { close(): void } | undefined;
  #cancelAgain: Cancel = () => {};
  #cancelSilence: Cancel = () => {};
  #status: BotStatus | undefined;
  #gone: GoneEvent | undefined;

  constructor(options: BotFeedOptions) {
    this.#options = options;
  }

  /** The newest status; undefined while the bot does not answer. */
  get status(): BotStatus | undefined {
    return this.#status;
  }

  join(stream: EventStream): void {
    this.#streams.add(stream);
    if (this.#streams.size === 1) this.#connect();
    else if (this.#status !== undefined) stream.state('status', JSON.stringify(this.#status));
    else if (this.#gone !== undefined) stream.news('gone', JSON.stringify(this.#gone));
  }

  /** Returns whether anybody still looks. */
  leave(stream: EventStream): boolean {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return true;
    this.close();
    return false;
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
    this.#cancelAgain();
    this.#cancelSilence();
    this.#watch?.close();
    this.#watch = undefined;
    this.#status = undefined;
    this.#gone = undefined;
  }

  #connect(): void {
    const { path } = this.#options;
    if (path === undefined) {
      this.#lost();
      return;
    }
    this.#watch = watchBot(path, {
      onStatus: (status) => this.#take(status),
      onEnd: () => this.#lost(),
    });
    this.#awaitStatus();
  }

  #awaitStatus(): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#options.timers.after(silentMs, () => this.#lost(), { unref: true });
  }

  #take(status: BotStatus): void {
    this.#awaitStatus();
    this.#options.note(true);
    if (this.#gone !== undefined) {
      this.#gone = undefined;
      const { nowMs, entry } = this.#options;
      const back: BackEvent = { atMs: nowMs(), bot: entry() };
      for (const stream of this.#streams) stream.news('back', JSON.stringify(back));
    }
    this.#status = status;
    const text = JSON.stringify(status);
    for (const stream of this.#streams) stream.state('status', text);
  }

  #lost(): void {
    const { entry, note, nowMs, timers } = this.#options;
    this.#watch?.close();
    this.#watch = undefined;
    this.#status = undefined;
    this.#cancelSilence();
    note(false);
    const bot = entry();
    // The state may change while it is gone: a process that is blocked may be killed.
    if (this.#gone?.bot.state !== bot.state) {
      this.#gone = { atMs: nowMs(), bot, text: goneText(bot) };
      for (const stream of this.#streams) stream.news('gone', JSON.stringify(this.#gone));
    }
    this.#cancelAgain = timers.after(againMs, () => this.#connect(), { unref: true });
  }
}

/** Says what happened to a bot that sends no status. */
export function goneText({ bot, state }: BotEntry): string {
  switch (state) {
    case 'stopped':
      return `${bot} has stopped in order`;
    case 'gone':
      return `${bot} was killed or has crashed; its orders may be open until it starts again`;
    default:
      return `the process of ${bot} runs, but does not answer: it is starting or blocked`;
  }
}
