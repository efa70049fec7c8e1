/**
 * Judges what one source says before it reaches the engine: a feed that lies, repeats itself or
 * goes back in time gives nothing, and says why.
 *
 * Invariants: at most one value in the time that the settings give; a reason has no address and no
 * secret in it, and equal reasons in a row are told once.
 */
import { DecodeError } from '../domain/errors.ts';
import type { FeedReading, FeedSource } from '../domain/feed.ts';
import { decimalOf } from '../domain/money.ts';
import { durationText } from '../domain/unit-text.ts';
import type { Clock } from '../runtime/clock.ts';
import type { MessageValues } from './message-values.ts';

/** Takes what a feed says, or why it says nothing. */
export type FeedSink = {
  readonly read: (reading: FeedReading) => void;
  readonly failed: (name: string, reason: string) => void;
  /** Something that is worth a line and changes nothing. */
  readonly noted: (text: string) => void;
};

/** Clocks differ, but not by more than this. */
const aheadMsMax = 60_000;

/** When the number of messages that were left out is told first, and how often later. */
const firstMs = 60_000;
const laterMs = 3_600_000;

export class FeedIntake {
  readonly source: FeedSource;
  readonly #sink: FeedSink;
  readonly #clock: Pick<Clock, 'nowMicros'>;
  /** The source's own time in its last message that was taken. */
  #lastTimeMs = Number.NEGATIVE_INFINITY;
  #lastValues = '';
  /** Since when the values are the same. */
  #unchangedSinceMs = 0;
  #toldReason = '';
  #leftOut = 0;
  #leftOutSinceMs: number | undefined;
  /** After how long the messages that were left out are told. */
  #leftOutToldMs = firstMs;
  #readMs: number;

  constructor(source: FeedSource, sink: FeedSink, clock: Pick<Clock, 'nowMicros'>) {
    this.source = source;
    this.#sink = sink;
    this.#clock = clock;
    this.#readMs = this.#nowMs();
  }

  /** For how long nothing was taken, in milliseconds. */
  get silentMs(): number {
    return this.#nowMs() - this.#readMs;
  }

  /**
   * Takes a message; `decode` throws DecodeError for one without numbers. Returns why it was not
   * taken; undefined if it was.
   */
  offer(decode: () => MessageValues): string | undefined {
    try {
      this.#take(decode());
      return undefined;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return error.message;
    }
  }

  /** Notes messages that were not looked at, since more came than the settings ask for. */
  leaveOut(messages: number): void {
    if (messages === 0) return;
    const nowMs = this.#nowMs();
    this.#leftOutSinceMs ??= nowMs;
    this.#leftOut += messages;
    if (nowMs - this.#leftOutSinceMs < this.#leftOutToldMs) return;
    const { name, everyMs } = this.source;
    const rate = `it gives one value every ${durationText(everyMs)}`;
    const forText = durationText(nowMs - this.#leftOutSinceMs);
    this.#sink.noted(`feed ${name} sent ${this.#leftOut} messages more in ${forText}: ${rate}`);
    this.#leftOutSinceMs = nowMs;
    this.#leftOut = 0;
    this.#leftOutToldMs = laterMs;
  }

  /** Tells why the source gives nothing. */
  fail(reason: string): void {
    const alike = reason.replaceAll(/\d+/gu, '#');
    if (alike === this.#toldReason) return;
    this.#toldReason = alike;
    this.#sink.failed(this.source.name, reason);
  }

  #nowMs(): number {
    return Math.floor(this.#clock.nowMicros() / 1000);
  }

  #take({ values, timeMs }: MessageValues): void {
    const { name } = this.source;
    const receivedMicros = this.#clock.nowMicros();
    const nowMs = Math.floor(receivedMicros / 1000);
    this.#checkRange(values);
    if (timeMs !== undefined) this.#checkTime(timeMs, nowMs);
    this.#checkChange(JSON.stringify(values), nowMs);
    if (timeMs !== undefined) this.#lastTimeMs = timeMs;
    this.#toldReason = '';
    this.#readMs = nowMs;
    this.#sink.read({ name, values, receivedMicros });
  }

  #checkRange(values: MessageValues['values']): void {
    const { min, max } = this.source;
    for (const [field, value] of Object.entries(values)) {
      const number = decimalOf(value);
      if (min !== undefined && number.lessThan(min))
        throw new DecodeError(`${field} was ${value}, below min, ${min}`);
      if (max !== undefined && number.greaterThan(max))
        throw new DecodeError(`${field} was ${value}, above max, ${max}`);
    }
  }

  #checkTime(timeMs: number, nowMs: number): void {
    const ageMs = nowMs - timeMs;
    if (-ageMs > aheadMsMax)
      throw new DecodeError(`its time is ${durationText(-ageMs)} ahead of our clock`);
    if (timeMs < this.#lastTimeMs)
      throw new DecodeError(`its time went back by ${durationText(this.#lastTimeMs - timeMs)}`);
    if (ageMs >= this.source.ageMsMax)
      throw new DecodeError(`its time is ${durationText(ageMs)} old`);
  }

  #checkChange(values: string, nowMs: number): void {
    const { unchangedMsMax } = this.source;
    if (values !== this.#lastValues) {
      this.#lastValues = values;
      this.#unchangedSinceMs = nowMs;
    }
    const unchangedMs = nowMs - this.#unchangedSinceMs;
    if (unchangedMsMax !== undefined && unchangedMs >= unchangedMsMax)
      throw new DecodeError(`it has given the same numbers for ${durationText(unchangedMs)}`);
  }
}
