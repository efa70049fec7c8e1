/**
 * Splits a text that comes in chunks into lines. The length of a line is limited, so that a file
 * without line feeds is an error before it fills the memory.
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

  /** Returns the lines that end in `chunk`; throws DecodeError for a line that is too long. */
  take(chunk: Buffer): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    const long = lines.findIndex((line) => line.length > lineLengthMax);
    if (long >= 0)
      throw new DecodeError(
        `${this.#path}:${this.#lines + long + 1}: a line must have at most ${lineLengthMax} characters; ` +
          `this line begins with ${JSON.stringify(lines[long]?.slice(0, 80))}`,
      );
    this.#rest = lines.pop() ?? '';
    this.#lines += lines.length;
    return lines;
  }

  /** Returns the text after the last line feed. */
  rest(): string {
    return this.#rest;
  }
}
