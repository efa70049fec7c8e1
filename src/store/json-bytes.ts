/**
 * JSON text as bytes, put together value by value in one buffer, which is used again and again:
 * results have a hundred bytes of numbers and ids in seven hundred of names, and as strings each
 * row would be joined, measured and copied.
 *
 * Invariant: what {@link JsonBytes.quoted} and {@link JsonBytes.number} write equals the text of
 * `JSON.stringify`.
 */

const quote = 34;
const backslash = 92;
const space = 32;
/** The last character that a text holds as it is; those above are left to `JSON.stringify`. */
const tilde = 126;
const zero = 48;

/** The most bytes that a UTF-16 code unit takes: escaped as `\u001f`. */
const bytesPerUnitMax = 6;
const integerLengthMax = 24;
/** Integers are written in two parts of this many digits, each of which fits 31 bits. */
const digitsPerPart = 8;
const partMax = 10 ** digitsPerPart;
/** The two digits of each number below 100, which are written at once. */
const pairs = Buffer.from(
  Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0')).join(''),
);

export class JsonBytes {
  /** The text is in the first {@link length} bytes. Replaced when it grows. */
  bytes: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
  }

  /** Adds bytes as they are. */
  add(part: Uint8Array): void {
    this.#makeRoom(part.length);
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start);
    this.length += source.copy(this.bytes, this.length, start, end);
  }

  byte(code: number): void {
    this.#makeRoom(1);
    this.bytes[this.length++] = code;
  }

  quoted(text: string): void {
    this.#makeRoom(text.length * bytesPerUnitMax + 2);
    const { bytes } = this;
    let { length } = this;
    bytes[length++] = quote;
    // A loop over the characters of a short text takes less time than a call of the system.
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < space || code > tilde || code === quote || code === backslash) {
        this.length += bytes.write(JSON.stringify(text), this.length);
        return;
      }
      bytes[length++] = code;
    }
    bytes[length++] = quote;
    this.length = length;
  }

  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      const text = String(value);
      this.#makeRoom(text.length);
      this.length += this.bytes.write(text, this.length);
      return;
    }
    this.#makeRoom(integerLengthMax);
    const high = Math.floor(value / partMax);
    if (high > 0) {
      this.#digits(high, lengthOf(high));
      this.#digits(value - high * partMax, digitsPerPart);
    } else this.#digits(value, lengthOf(value));
  }

  /** Adds the last `count` digits of an integer below 2^31. */
  #digits(value: number, count: number): void {
    const { bytes, length } = this;
    let rest = value | 0;
    let at = length + count;
    for (; at - length >= 2; at -= 2) {
      const hundredth = (rest / 100) | 0;
      const pair = (rest - hundredth * 100) * 2;
      bytes[at - 1] = pairs[pair + 1] as number;
      bytes[at - 2] = pairs[pair] as number;
      rest = hundredth;
    }
    if (at > length) bytes[length] = zero + rest;
    this.length = length + count;
  }

  #makeRoom(count: number): void {
    if (this.length + count > this.bytes.length) this.#grow(count);
  }

  #grow(count: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + count, 2 * this.bytes.length));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** Returns the number of digits of an integer from 0 to 10^8 - 1. */
function lengthOf(value: number): number {
  let length = 1;
  for (let limit = 10; limit <= value; limit *= 10) length++;
  return length;
}
