/**
 * A feed from a websocket that is opened again when it ends. However much it sends, it gives one
 * value in the time that the settings give, the last one; most messages are not even decoded.
 *
 * Invariants: at most one socket at a time, and nothing from an old one is taken; a connection on
 * which nothing arrives for as long as a value lasts is dropped; memory is bounded.
 */
import { WebSocket } from 'ws';
import type { FeedHeaders } from '../domain/feed.ts';
import { durationText } from '../domain/unit-text.ts';
import type { Random } from '../runtime/random.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { FeedIntake } from './feed-intake.ts';
import { valuesOfJson } from './message-values.ts';
import { networkReason, type OpenFeed } from './open-feed.ts';

type FeedStream = {
  readonly url: string;
  readonly headers: FeedHeaders;
  readonly subscribe: string | undefined;
};

const handshakeMsMax = 5_000;
const waitMsMin = 250;
const waitMsMax = 30_000;
const silentMsMin = 10_000;
const secondMs = 1_000;
/** A source that sends more in a second is cut off, since reading it takes time from trading. */
const perSecondMax = 5_000;
/** Messages kept until the next value is due: some confirm or only keep the line open. */
const waitingMax = 8;

type Parts = { readonly timers: Timers; readonly random: Pick<Random, 'next'> };

/** Opens the feed. */
export function openWebSocketFeed(stream: FeedStream, intake: FeedIntake, parts: Parts): OpenFeed {
  const feed = new WebSocketFeed(stream, intake, parts);
  feed.connect();
  return { close: async () => feed.close() };
}

class WebSocketFeed {
  readonly #stream: FeedStream;
  readonly #intake: FeedIntake;
  readonly #parts: Parts;
  #socket: WebSocket | undefined;
  /** The last messages that were not looked at, newest last. */
  #waiting: string[] = [];
  #cancelDue: Cancel | undefined;
  #cancelWatch: Cancel = () => {};
  #cancelSecond: Cancel = () => {};
  #cancelWait: Cancel = () => {};
  #inSecond = 0;
  #isSilent = true;
  #failures = 0;
  #isClosed = false;

  constructor(stream: FeedStream, intake: FeedIntake, parts: Parts) {
    this.#stream = stream;
    this.#intake = intake;
    this.#parts = parts;
  }

  connect(): void {
    const { url, headers, subscribe } = this.#stream;
    const { timers } = this.#parts;
    const { bytesMax, ageMsMax } = this.#intake.source;
    const socket = new WebSocket(url, {
      ...{ headers, maxPayload: bytesMax, handshakeTimeout: handshakeMsMax },
      ...{ perMessageDeflate: false, followRedirects: false, rejectUnauthorized: true },
    });
    this.#socket = socket;
    socket.on('open', () => {
      if (subscribe !== undefined) socket.send(subscribe);
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#note(data.toString());
    });
    socket.on('unexpected-response', (_request, response) =>
      this.#fail(`the websocket was refused with HTTP ${response.statusCode ?? 0}`),
    );
    socket.on('error', (error) => {
      const reason = networkReason(error);
      const isLarge = reason === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      this.#fail(isLarge ? `a message is larger than ${bytesMax / 1_000} kB` : reason);
    });
    socket.on('close', (code) => this.#fail(`the websocket was closed with code ${code}`));
    this.#isSilent = true;
    const silentMs = Math.max(silentMsMin, ageMsMax);
    this.#cancelWatch = timers.every(silentMs, () => {
      if (this.#isSilent) this.#fail(`nothing was received for ${durationText(silentMs)}`);
      this.#isSilent = true;
    });
    this.#cancelSecond = timers.every(secondMs, () => {
      this.#inSecond = 0;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #note(text: string): void {
    this.#isSilent = false;
    if (++this.#inSecond > perSecondMax) {
      this.#fail(`it sent more than ${perSecondMax} messages in a second`);
      return;
    }
    this.#waiting.push(text);
    if (this.#waiting.length > waitingMax) {
      this.#waiting.shift();
      this.#intake.leaveOut(1);
    }
    if (this.#cancelDue === undefined) this.#read();
  }

  /** Takes the newest message with numbers, and waits before the next one. */
  #read(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const { source, silentMs } = this.#intake;
    let refused: string | undefined;
    for (const [index, text] of waiting.toReversed().entries()) {
      const why = this.#intake.offer(() => valuesOfJson(text, source));
      refused ??= why;
      if (why !== undefined) continue;
      refused = undefined;
      this.#failures = 0;
      this.#intake.leaveOut(waiting.length - 1 - index);
      break;
    }
    // Some messages only confirm or keep the line open. Without numbers for long, it is a fault.
    if (refused !== undefined && silentMs > 2 * source.everyMs) this.#intake.fail(refused);
    if (waiting.length === 0) this.#cancelDue = undefined;
    else this.#cancelDue = this.#parts.timers.after(source.everyMs, () => this.#read());
  }

  /** Drops the connection and opens another one later. */
  #fail(reason: string): void {
    if (this.#isClosed || this.#socket === undefined) return;
    this.#drop();
    this.#intake.fail(reason);
    const highestMs = Math.min(waitMsMax, waitMsMin * 2 ** this.#failures++);
    const waitMs = waitMsMin + Math.floor(this.#parts.random.next() * highestMs);
    this.#cancelWait = this.#parts.timers.after(waitMs, () => this.connect());
  }

  #drop(): void {
    this.#cancelDue?.();
    this.#cancelDue = undefined;
    for (const cancel of [this.#cancelWatch, this.#cancelSecond, this.#cancelWait]) cancel();
    this.#waiting = [];
    const old = this.#socket;
    this.#socket = undefined;
    old?.removeAllListeners();
    // A socket that is terminated while it connects emits an error, which would end the process.
    old?.on('error', () => {});
    old?.terminate();
  }
}
