/**
 * What feeds said, in blocks of lines: the time of receipt in microseconds, the feed, its values.
 *
 *     1754300009500000 reference {"value":"1012000"}
 */
import { DecodeError } from '../../domain/errors.ts';
import { type FeedReading, feedValuesOf } from '../../domain/feed.ts';
import type { FeedIndex } from './recording-header.ts';

const readingsPerBlock = 65_536;

/** Collects readings for a recording; `write` stores a block and returns its offset. */
export class FeedBlocks {
  readonly #write: (bytes: Buffer) => number;
  readonly #offsets: number[] = [];
  readonly #readings = new Map<string, number>();
  #lines: string[] = [];

  constructor(write: (bytes: Buffer) => number) {
    this.#write = write;
  }

  /** `mayWrite` is false while a block of the recording must come first. */
  add({ name, values, receivedMicros }: FeedReading, mayWrite: boolean): void {
    this.#readings.set(name, (this.#readings.get(name) ?? 0) + 1);
    this.#lines.push(`${receivedMicros} ${name} ${JSON.stringify(values)}`);
    if (mayWrite && this.#lines.length >= readingsPerBlock) this.#flush();
  }

  /** Stores the rest; returns the index, or undefined if there was nothing. */
  finish(): FeedIndex | undefined {
    this.#flush();
    if (this.#readings.size === 0) return undefined;
    return { blocks: this.#offsets, readings: Object.fromEntries(this.#readings) };
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#offsets.push(this.#write(Buffer.from(this.#lines.join('\n'))));
    this.#lines = [];
  }
}

/** Returns the readings of a block. Throws DecodeError; its message begins with `where`. */
export function decodeFeedBlock(bytes: Buffer, where: string): readonly FeedReading[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .map((line, index) => {
      const [, time = '', name = '', json = ''] = /^(\d{1,16}) (\S{1,40}) (.*)$/su.exec(line) ?? [];
      const values = feedValuesOf(json);
      if (values === undefined)
        throw new DecodeError(`${where}, line ${index + 1}: is not what a feed said`);
      return { name, values, receivedMicros: Number.parseInt(time, 10) };
    });
}
