/**
 * Server-sent events to one reader.
 *
 * Invariant: at most one event waits for the reader. A newer state replaces those that it did not
 * take in time, and a reader that takes nothing for a while is dropped.
 */
import type { ServerResponse } from 'node:http';
import type { Cancel, Timers } from '../../runtime/timers.ts';

/** A reader that has taken nothing for this time is dropped. */
const stalledMsMax = 10_000;
const checkEveryMs = 2_500;
/** A comment in a quiet stream shows a dead connection. */
const quietMs = 15_000;

export type EventStreamOptions = {
  readonly timers: Timers;
  /** Called once when the reader has gone or was dropped. */
  readonly onEnd: () => void;
};

export class EventStream {
  readonly #response: ServerResponse;
  readonly #cancel: Cancel;
  #stalledMs = 0;
  #quietMs = 0;
  /** The newest state that the reader has not taken; undefined if it keeps up. */
  #waiting: string | undefined;
  #isBlocked = false;

  constructor(response: ServerResponse, { timers, onEnd }: EventStreamOptions) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies must not collect events.
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    response.on('drain', () => this.#continue());
    this.#cancel = timers.every(checkEveryMs, () => this.#check(), { unref: true });
    const close = (): void => {
      this.#cancel();
      onEnd();
    };
    // The reader may have gone before it was answered.
    if (response.destroyed) timers.soon(close);
    else response.once('close', close);
  }

  /** Sends a state; if the reader is behind, only the newest one is sent. */
  state(event: string, data: string): void {
    const text = eventText(event, data);
    if (this.#isBlocked) this.#waiting = text;
    else this.#write(text);
  }

  /** Sends something that every reader must get; one that is behind is dropped. */
  news(event: string, data: string): void {
    if (this.#isBlocked) this.#response.destroy();
    else this.#write(eventText(event, data));
  }

  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    this.#quietMs = 0;
    this.#isBlocked = !this.#response.write(text);
  }

  #continue(): void {
    this.#isBlocked = false;
    this.#stalledMs = 0;
    const text = this.#waiting;
    this.#waiting = undefined;
    if (text !== undefined) this.#write(text);
  }

  #check(): void {
    if (this.#isBlocked) {
      this.#stalledMs += checkEveryMs;
      if (this.#stalledMs >= stalledMsMax) this.#response.destroy();
      return;
    }
    this.#quietMs += checkEveryMs;
    if (this.#quietMs >= quietMs) this.#write(': quiet\n\n');
  }
}

function eventText(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
