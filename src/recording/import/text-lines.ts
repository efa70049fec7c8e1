/**
 * Lines of a text that comes in chunks. They have a bound: a file without line feeds, which is
 * none of ours, would fill the memory before anything could be said of it.
 */
import { DecodeError } from '../../domain/errors.ts';

const lineLengthMax = 65_536;

export class TextLines {
  readonly #path: string;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the lines that end in `chunk`; throws DecodeError with the line for a longer one. */
  take(chunk: Buffer): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    const long = lines.findIndex((line) => line.length > lineLengthMax);
    if (long >= 0)
      throw new DecodeError(
        `${this.#path}:${this.#lines + long + 1}: a line must have at most ${lineLengthMax} characters: ` +
          `this begins with ${JSON.stringify(lines[long]?.slice(0, 80))}`,
      );
    this.#rest = lines.pop() ?? '';
    this.#lines += lines.length;
    return lines;
  }

  /** Returns what is behind the last line feed. */
  rest(): string {
    return this.#rest;
  }
}
