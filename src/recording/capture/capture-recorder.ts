/**
 * Records the market streams of one process: writes each frame as received, and keeps each
 * market's book in memory, so that every file can begin with the book.
 *
 * Frames wait a moment before they are recorded, so that the reaction to a frame does not wait for
 * its recording. Their lines wait for seconds anyway, so a killed process loses no more by it.
 * Private streams are never recorded. A disk failure ends the recording and nothing else.
 */
import type { BookMessage } from '../../domain/book-message.ts';
import type { FeedReading } from '../../domain/feed.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import { MarketFeed } from '../../market/feed/market-feed.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import type { MarketFrames } from '../../venue/market-frames.ts';
import type { MarketListener } from '../../venue/venue-streams.ts';
import type { CaptureEntry, CaptureKind } from './capture-entry.ts';
import { CaptureWriter, type CaptureWriterOptions } from './capture-writer.ts';

export type CaptureRecorderOptions = Omit<CaptureWriterOptions, 'firstEntries'> & {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Writes the books with which the files begin. */
  readonly frames: Pick<MarketFrames, 'encode'>;
};

const flushEveryMs = 5_000;
const framesWaitMs = 100;
const framesWaitingMax = 256;

type WaitingFrame = {
  readonly atMicros: number;
  readonly pair: string;
  readonly text: string;
  readonly message: BookMessage;
};

type RecordedMarket = { readonly market: Market; readonly feed: MarketFeed };

export class CaptureRecorder {
  readonly #clock: Clock;
  readonly #writer: CaptureWriter;
  readonly #markets = new Map<string, RecordedMarket>();
  readonly #timers: Timers;
  readonly #frames: Pick<MarketFrames, 'encode'>;
  readonly #cancelFlush: Cancel;
  #waiting: WaitingFrame[] = [];
  #cancelWait: Cancel | undefined;
  #frameCount = 0;
  #isEnded = false;

  constructor(options: CaptureRecorderOptions) {
    this.#clock = options.clock;
    this.#timers = options.timers;
    this.#frames = options.frames;
    this.#writer = new CaptureWriter({ ...options, firstEntries: () => this.#firstEntries() });
    this.#cancelFlush = options.timers.every(flushEveryMs, () => void this.flush(), {
      unref: true,
    });
  }

  /** The path of the current file; empty before the first frame. */
  get path(): string {
    return this.#writer.path;
  }

  get frames(): number {
    return this.#frameCount;
  }

  /** Records the rules of a market. Call it before the market's first frame and at each change. */
  market(market: Market): void {
    this.#recordWaiting();
    this.#markets.set(market.pair, { market, feed: new MarketFeed(market) });
    this.#append(market.pair, 'market', rulesOf(market));
  }

  hearing(pair: string, listener: MarketListener): MarketListener {
    return {
      opened: () => {
        this.opened(pair);
        listener.opened();
      },
      closed: (reason, end, inARow) => {
        this.closed(pair, reason);
        listener.closed(reason, end, inARow);
      },
      frame: (text, message) => {
        this.frame(pair, text, message);
        listener.frame(text, message);
      },
    };
  }

  opened(pair: string): void {
    this.#recordWaiting();
    this.#append(pair, 'opened', '');
  }

  closed(pair: string, reason: string): void {
    this.#recordWaiting();
    this.#markets.get(pair)?.feed.invalidate('DISCONNECTED', reason);
    this.#append(pair, 'closed', reason);
  }

  /** Records what a feed of the bot said, at the time when it was received. */
  feed({ name, values, receivedMicros }: FeedReading): void {
    this.#recordWaiting();
    this.#append(name, 'feed', JSON.stringify(values), receivedMicros);
  }

  /** Records a frame: its text as received, and the decoded message. */
  frame(pair: string, text: string, message: BookMessage): void {
    this.#frameCount++;
    this.#waiting.push({ atMicros: this.#clock.nowMicros(), pair, text, message });
    if (this.#waiting.length >= framesWaitingMax) this.#recordWaiting();
    else this.#cancelWait ??= this.#timers.after(framesWaitMs, () => this.#recordWaiting());
  }

  #recordWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    const frames = this.#waiting;
    this.#waiting = [];
    for (const { atMicros, pair, text, message } of frames) {
      // Before the book applies it: a file that begins here starts with the book before the frame.
      this.#append(pair, 'frame', text, atMicros);
      const feed = this.#markets.get(pair)?.feed;
      if (message.kind === 'snapshot') feed?.applySnapshot(message.snapshot, atMicros);
      else feed?.applyUpdate(message.update, atMicros);
    }
  }

  /** Resolves when all frames so far are in the file. Also called every few seconds. */
  flush(): Promise<void> {
    this.#recordWaiting();
    return this.#writer.flush();
  }

  /** Ends the recording while the process continues; later frames are not recorded. */
  end(): void {
    void this.close();
  }

  /** Ends the recording; resolves when everything is on the disk. */
  async close(): Promise<void> {
    this.#recordWaiting();
    this.#isEnded = true;
    this.#cancelFlush();
    await this.#writer.close();
  }

  #append(pair: string, kind: CaptureKind, text: string, atMicros = this.#clock.nowMicros()): void {
    if (this.#isEnded) return;
    this.#writer.append({ atMicros, pair, kind, text });
  }

  #firstEntries(): Omit<CaptureEntry, 'atMicros'>[] {
    const entries: Omit<CaptureEntry, 'atMicros'>[] = [];
    for (const [pair, { market, feed }] of this.#markets) {
      entries.push({ pair, kind: 'market', text: rulesOf(market) });
      const snapshot = feed.snapshot();
      if (snapshot !== undefined)
        entries.push({ pair, kind: 'book', text: this.#frames.encode(snapshot) });
    }
    return entries;
  }
}

function rulesOf(market: Market): string {
  return JSON.stringify({
    ...market,
    priceMin: formatTicks(market.priceMin, market),
    priceMax: formatTicks(market.priceMax, market),
    volumeMin: formatLots(market.volumeMin, market),
    volumeMax: formatLots(market.volumeMax, market),
  });
}
