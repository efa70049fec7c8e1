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
  /** The bytes of {@link #long}. */
  #lastRow: Uint8Array = new Uint8Array();

  /** `row` is any row of the kind, `members` the names of those that differ. */
  constructor(row: object, members: readonly string[]) {
    const blanks: Record<string, unknown> = { ...row };
    for (const name of members) if (blanks[name] !== undefined) blanks[name] = blank;
    this.text = `,\n  ${JSON.stringify(blanks, null, 1).replaceAll('\n', '\n  ')}`;
    this.#parts = this.text.split(JSON.stringify(blank)).map((part) => Buffer.from(part));
    this.#starts = new Int32Array(this.#parts.length - 1);
    this.#ends = new Int32Array(this.#parts.length - 1);
    this.#long.add(this.#parts[0] as Uint8Array);
    this.#starts[0] = this.#long.length;
  }

  /**
   * Adds the long form of a row to `text`; its members begin at `start` in `bytes`. Returns where
   * the next row begins.
   */
  addLong(text: JsonBytes, bytes: Uint8Array, start: number): number {
    const long = this.#long.bytes;
    const starts = this.#starts;
    const ends = this.#ends;
    let at = start;
    // Puts the members into the last long row, where each is usually as long as before.
    for (let member = 0; member < starts.length; member++) {
      const memberStart = at;
      const to = starts[member] as number;
      const length = (ends[member] as number) - to;
      for (let index = 0; index < length; index++) {
        const code = bytes[at] as number;
        if (code === lineBreak) break;
        long[to + index] = code;
        at++;
      }
      if (at - memberStart !== length || bytes[at] !== lineBreak) {
        at = this.#rebuild(member, bytes, memberStart);
        break;
      }
      at++;
    }
    text.add(this.#lastRow);
    return at;
  }

  /** Makes the long row anew from a member on, whose place does not change. */
  #rebuild(first: number, bytes: Uint8Array, start: number): number {
    const long = this.#long;
    long.length = this.#starts[first] as number;
    let at = start;
    for (let member = first; member < this.#starts.length; member++) {
      this.#starts[member] = long.length;
      for (; bytes[at] !== lineBreak; at++) long.byte(bytes[at] as number);
      this.#ends[member] = long.length;
      at++;
      long.add(this.#parts[member + 1] as Uint8Array);
    }
    this.#lastRow = long.bytes.subarray(0, long.length);
    return at;
  }
}
