/**
 * SHA-256 over texts. A hash takes a whole buffer at once, since a call of it costs more than
 * hashing a short text, and joining texts costs more than copying their characters.
 */
import { createHash } from 'node:crypto';

const bufferLength = 65_536;
const asciiMax = 127;
/** The code of the character. */
const space = 32;

export class TextHash {
  readonly #hash = createHash('sha256');
  readonly #bytes = new Uint8Array(bufferLength);
  #length = 0;

  /** Adds a text. Only the concatenation of all texts matters. */
  add(text: string): void {
    const bytes = this.#bytes;
    if (this.#length + text.length > bufferLength) this.#flush();
    if (text.length > bufferLength) {
      this.#hash.update(text);
      return;
    }
    let length = this.#length;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > asciiMax) {
        this.#flush();
        this.#hash.update(text);
        return;
      }
      bytes[length++] = code;
    }
    this.#length = length;
  }

  /** Adds a space and a text. */
  addWord(text: string): void {
    if (this.#length === bufferLength) this.#flush();
    this.#bytes[this.#length++] = space;
    this.add(text);
  }

  /** Adds bytes after all texts, and returns the digest in hexadecimal. May be called once. */
  finish(last: Uint8Array): string {
    this.#flush();
    return this.#hash.update(last).digest('hex');
  }

  #flush(): void {
    if (this.#length > 0) this.#hash.update(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }
}
