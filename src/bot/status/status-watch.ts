/**
 * Sends the status to those who watch a bot, several times a second.
 *
 * Invariants: the status is composed once for all of them, and not at all while nobody watches;
 * what waits to be sent to a watcher is at most one line.
 */
import type { StreamClient } from '../../control/control-server.ts';
import type { BotStatus } from '../../domain/bot-status.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';

const watchedEveryMs = 250;
const watchersMax = 6;

export type StatusWatchOptions = {
  readonly timers: Timers;
  readonly compose: () => { readonly text: string; readonly status: BotStatus };
  /** Whether events wait for the trading loop, which come first. */
  readonly isBusy: () => boolean;
};

export class StatusWatch {
  readonly #options: StatusWatchOptions;
  readonly #watchers = new Set<StreamClient>();
  #cancel: Cancel | undefined;
  #cancelSoon: Cancel = () => {};

  constructor(options: StatusWatchOptions) {
    this.#options = options;
  }

  /** Sends the status to `client` until it leaves. Returns why not, if it cannot. */
  add(client: StreamClient): string | undefined {
    if (this.#watchers.size >= watchersMax)
      return `${watchersMax} programs watch this bot already, and no more can`;
    this.#watchers.add(client);
    client.onLeft(() => this.#remove(client));
    this.#cancel ??= this.#options.timers.every(watchedEveryMs, () => this.#send(), {
      unref: true,
    });
    client.offer(this.#line());
    return undefined;
  }

  /** Stops sending. */
  close(): void {
    this.#watchers.clear();
    this.#stop();
  }

  #remove(client: StreamClient): void {
    this.#watchers.delete(client);
    if (this.#watchers.size === 0) this.#stop();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#cancelSoon();
  }

  /** Sends a status, once the events that wait now have been handled. */
  #send(): void {
    if (!this.#options.isBusy()) this.#sendNow();
    else this.#cancelSoon = this.#options.timers.soon(() => this.#sendNow());
  }

  #sendNow(): void {
    const ready = [...this.#watchers].filter((client) => client.isReady());
    if (ready.length === 0) return;
    const line = this.#line();
    for (const client of ready) client.offer(line);
  }

  #line(): string {
    return JSON.stringify({ isDone: false, isRefused: false, ...this.#options.compose() });
  }
}
