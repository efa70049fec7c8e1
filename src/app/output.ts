/**
 * What a person or a program reads from a verb. With `--json` standard output holds nothing but
 * JSON, one object on its last line, and everything for people goes to standard error.
 *
 * Invariant: no secret is printed; every line passes the filter.
 */

import { MillraceError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { createSecretFilter, type Secret, type SecretFilter } from '../runtime/secret-filter.ts';

export class Output {
  readonly isJson: boolean;
  readonly #stdout: NodeJS.WritableStream;
  readonly #stderr: NodeJS.WritableStream;
  #filter: SecretFilter = (text) => text;

  constructor(options: {
    readonly isJson: boolean;
    readonly stdout: NodeJS.WritableStream;
    readonly stderr: NodeJS.WritableStream;
  }) {
    this.isJson = options.isJson;
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
  }

  /** Hides `secrets` in every later line. */
  hide(secrets: readonly Secret[]): void {
    this.#filter = createSecretFilter(secrets);
  }

  /** A line for people. */
  line(text: string): void {
    const stream = this.isJson ? this.#stderr : this.#stdout;
    stream.write(`${this.#filter(text)}\n`);
  }

  /** A notice of the engine, with the time of day. */
  notice(notice: Notice, nowMs: number): void {
    const mark = notice.level === 'info' ? ' ' : notice.level === 'warn' ? '!' : '#';
    const time = new Date(nowMs).toISOString().slice(11, 19);
    this.line(`${time} ${mark} ${notice.topic.padEnd(9)} ${notice.text}`);
  }

  /** What a verb found: `lines` for people, or the object as one line of JSON. */
  result(value: object, lines: readonly string[]): void {
    if (this.isJson) this.#stdout.write(`${this.#filter(JSON.stringify(value))}\n`);
    else for (const text of lines) this.line(text);
  }

  /** An error, always on standard error: its message if it is one of ours, else its stack. */
  problem(error: unknown): void {
    const text =
      error instanceof MillraceError
        ? `millrace: ${error.message} (${error.code})`
        : `millrace: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    this.#stderr.write(`${this.#filter(text)}\n`);
  }
}
