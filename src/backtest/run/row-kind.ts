/**
 * The text that rows of one kind share, from which long rows are made; see `row-text.ts`.
 */
import { JsonBytes } from '../../store/json-bytes.ts';

/** Most long rows of an order are a fifth as long. */
export const rowLength = 4_096;
/** Ends each member of a short row. */
export const lineBreak = 10;
/** Stands for a member that differs from row to row; no name or id has such a text. */
const blank = '\u0000blank\u0000';

export class RowKind {
  /** A row with {@link blank} for each member that differs. */
  readonly text: string;
  /** The text before each member that differs, and after the last. */
  readonly #parts: readonly Uint8Array[];
  /** The last long row, and where the members that differ begin and end in it. */
  readonly #long = new JsonBytes(rowLength);
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  /** `row` is any row of the kind, `members` the names of those that differ. */
  constructor(row: object, members: readonly string[]) {
    const blanks: Record<string, unknown> = { ...row };
    for (const name of members) if (blanks[name] !== undefined) blanks[name] = blank;
    this.text = `,\n  ${JSON.stringify(blanks, null, 1).replaceAll('\n', '\n  ')}`;
    this.#parts = this.text.split(JSON.stringify(blank)).map((part) => Buffer.from(part));
    this.#starts = new Int32Array(this.#parts.length - 1);
    this.#ends = new Int32Array(this.#parts.length - 1);
  }

  /**
   * Adds the long form of a row to `text`; its members begin at `start` in `bytes`. Returns where
   * the next row begins.
   */
  addLong(text: JsonBytes, bytes: Uint8Array, start: number): number {
    const end = this.#replace(bytes, start) || this.#rebuild(bytes, start);
    text.add(this.#long.bytes.subarray(0, this.#long.length));
    return end;
  }

  /**
   * Puts the members of a row into the last long row, where each is usually as long as before.
   * Returns 0 if one is not.
   */
  #replace(bytes: Uint8Array, start: number): number {
    const long = this.#long.bytes;
    const starts = this.#starts;
    const ends = this.#ends;
    let at = start;
    for (let member = 0; member < starts.length; member++) {
      const memberEnd = ends[member] as number;
      for (let to = starts[member] as number; to < memberEnd; to++) {
        const code = bytes[at++] as number;
        if (code === lineBreak) return 0;
        long[to] = code;
      }
      if (bytes[at++] !== lineBreak) return 0;
    }
    return at;
  }

  /** Makes the long row from the shared text and the members. */
  #rebuild(bytes: Uint8Array, start: number): number {
    const long = this.#long;
    long.length = 0;
    let at = start;
    for (let member = 0; member < this.#starts.length; member++) {
      long.add(this.#parts[member] as Uint8Array);
      const end = bytes.indexOf(lineBreak, at);
      this.#starts[member] = long.length;
      long.add(bytes.subarray(at, end));
      this.#ends[member] = long.length;
      at = end + 1;
    }
    long.add(this.#parts[this.#starts.length] as Uint8Array);
    return at;
  }
}
