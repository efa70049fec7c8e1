/**
 * What a person or a program reads from a verb. With `--json` standard output holds nothing but
 * JSON, one object on its last line, and everything for people goes to standard error.
 *
 * Invariants: no secret is printed, every line passes the filter; nothing that came from outside
 * moves a terminal's cursor, changes its colours or begins a line of its own in a notice. A reader
 * that has gone is no reason to stop or to fail; a result that a disk did not take is an error.
 */

import { styleText } from 'node:util';
import { MillraceError, StoreError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { createSecretFilter, type Secret, type SecretFilter } from '../runtime/secret-filter.ts';
import { millraceCommand, quoted } from './command-hints.ts';

function styleOf({ level, topic }: Notice): 'red' | 'yellow' | 'green' | 'dim' | 'reset' {
  if (level === 'alarm') return 'red';
  if (level === 'warn') return 'yellow';
  if (topic === 'fill') return 'green';
  return topic === 'quote' || topic === 'order' || topic === 'stream' ? 'dim' : 'reset';
}

/** What is written to whom nobody reads any more. */
const goneCodes = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

export class Output {
  readonly isJson: boolean;
  readonly #stdout: NodeJS.WritableStream;
  readonly #stderr: NodeJS.WritableStream;
  #filter: SecretFilter = (text) => text;
  /** Whether the last line of the terminal is one of {@link progress}. */
  #hasProgress = false;
  /** The first error of standard output, which those that follow come from. */
  #failure: NodeJS.ErrnoException | undefined;
  #isResultLost = false;
  /** Settled when all of the results is written, or lost. */
  #written: Promise<void> = Promise.resolve();

  constructor(options: {
    readonly isJson: boolean;
    readonly stdout: NodeJS.WritableStream;
    readonly stderr: NodeJS.WritableStream;
  }) {
    this.isJson = options.isJson;
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    // A terminal that was closed or a reader that has gone must not end a bot at work.
    this.#stderr.on('error', () => {});
    this.#stdout.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  /** Hides `secrets` in every later line. */
  hide(secrets: readonly Secret[]): void {
    this.#filter = createSecretFilter(secrets);
  }

  /** A line for people. */
  line(text: string): void {
    this.#print(withoutControls(text));
  }

  #print(text: string): void {
    this.#people.write(`${this.#clearing()}${this.#filter(text)}\n`);
  }

  /** Whether a person looks at a terminal, where {@link progress} stays one line. */
  get isTerminal(): boolean {
    return (this.#people as Partial<NodeJS.WriteStream>).isTTY === true;
  }

  /** How far it is: on a terminal the last line, which the next one replaces. */
  progress(text: string): void {
    if (!this.isTerminal) {
      this.line(text);
      return;
    }
    this.#people.write(`${this.#clearing()}${this.#filter(text)}`);
    this.#hasProgress = true;
  }

  get #people(): NodeJS.WritableStream {
    return this.isJson ? this.#stderr : this.#stdout;
  }

  #clearing(): string {
    const text = this.#hasProgress ? '\r\u001b[2K' : '';
    this.#hasProgress = false;
    return text;
  }

  /** A notice of the engine, with the time of day, or with the date before it. */
  notice(notice: Notice, nowMs: number, when?: 'dated'): void {
    const mark = notice.level === 'info' ? ' ' : notice.level === 'warn' ? '!' : '#';
    const time = new Date(nowMs).toISOString().slice(when === 'dated' ? 0 : 11, 19);
    const told = withoutControls(notice.text.replace(/[\n\t]/gu, '?'));
    const text = `${time} ${mark} ${notice.topic.padEnd(9)} ${told}`;
    // Colours only where a terminal shows them; what is routine steps back behind the fills.
    this.#print(styleText(styleOf(notice), text, { stream: this.#people }));
  }

  /** What a verb found: `lines` for people, or the object as one line of JSON. */
  result(value: object, lines: readonly string[]): void {
    if (this.isJson) this.#found(this.#filter(JSON.stringify(value)));
    else
      for (const text of lines)
        this.#found(`${this.#clearing()}${this.#filter(withoutControls(text))}`);
  }

  #found(text: string): void {
    const lost = (error: NodeJS.ErrnoException | null | undefined): void => {
      if (!error) return;
      this.#failure ??= error;
      this.#isResultLost = true;
    };
    this.#stdout.write(text, lost);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#written = promise;
    // By itself: a nearly full disk takes a part of a line without a word, and then not its end.
    this.#stdout.write('\n', (error) => {
      lost(error);
      resolve();
    });
  }

  /**
   * Returns, when all that was found is written, why a part of it could not be; undefined if it
   * could, or if nobody reads it any more.
   */
  async lost(): Promise<StoreError | undefined> {
    await this.#written;
    const cause = this.#failure;
    // What a terminal does not take has no reader: it was closed.
    const hasReader = (this.#stdout as Partial<NodeJS.WriteStream>).isTTY !== true;
    if (!this.#isResultLost || cause === undefined || !hasReader) return undefined;
    if (goneCodes.includes(cause.code ?? '')) return undefined;
    const text = `standard output cannot be written: ${cause.message}; what was found is not in it`;
    return new StoreError(text, { cause });
  }

  /** An error, always on standard error: its message if it is one of ours, else its stack. */
  problem(error: unknown): void {
    const text =
      error instanceof MillraceError
        ? `millrace: ${error.message} (${error.code})${helpOf(error)}`
        : `millrace: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    if (this.#hasProgress) this.#people.write(this.#clearing());
    this.#stderr.write(`${this.#filter(withoutControls(text))}\n`);
  }
}

/** The command that an error suggests, on a line of its own. */
function helpOf({ suggests }: MillraceError): string {
  return suggests === undefined ? '' : `\n  ${millraceCommand(suggests.map(quoted).join(' '))}`;
}

/** An exchange's message may hold anything, also what would hide or forge lines on a terminal. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
