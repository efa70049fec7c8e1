/**
 * The output of a command, for people and for programs. With `--json`, standard output contains
 * only JSON, one object on its last line, and all text for people goes to standard error.
 *
 * Invariants: every line passes the secret filter, so no secret is printed; text from outside never
 * moves a terminal's cursor, changes its colours or starts a new line in a notice. A reader that
 * went away neither stops the command nor makes it fail; a result that could not be written to a
 * disk is an error. The order of the lines is the order of the calls, even if some notices wait.
 */

import { styleText } from 'node:util';
import { MillraceError, StoreError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { DeferredLines, textOf } from '../runtime/deferred-lines.ts';
import { createSecretFilter, type Secret, type SecretFilter } from '../runtime/secret-filter.ts';
import {
  openTerminal,
  type TerminalDevice,
  type TerminalStream,
} from '../runtime/terminal-device.ts';
import type { Timers } from '../runtime/timers.ts';
import { type CommandPlace, millraceCommand, quoted } from './command-hints.ts';
import { RecentNotes } from './view/recent-notes.ts';
import type { Style } from './view/styled-line.ts';
import type { TerminalView } from './view/terminal-view.ts';

function styleOf({ level, topic }: Notice): 'red' | 'yellow' | 'green' | 'dim' | 'reset' {
  if (level === 'alarm') return 'red';
  if (level === 'warn') return 'yellow';
  if (topic === 'fill') return 'green';
  // Routine notices are dimmed, so that fills stand out.
  return topic === 'quote' || topic === 'order' || topic === 'stream' ? 'dim' : 'reset';
}

/** Printable ASCII, as nearly all notices are: nothing in it has to be replaced. */
const isPlain = /^[ -~]*$/u;
/** A longer notice counts as several lines, so that what waits never fills a pipe. */
const charactersOfUsualLine = 500;
/** Errors of a stream that nobody reads any more. */
const readerGoneCodes = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

export class Output {
  readonly isJson: boolean;
  /** The newest lines for people. */
  readonly notes = new RecentNotes((text) => this.#filter(text));
  readonly #workspace: CommandPlace;
  readonly #stdout: NodeJS.WritableStream;
  readonly #stderr: NodeJS.WritableStream;
  #filter: SecretFilter = (text) => text;
  /** The terminal of people, once a bot runs on it. */
  #terminal: TerminalDevice | undefined;
  /** What is shown on the terminal instead of lines. */
  #view: TerminalView | undefined;
  /** Notices that wait to be written together; undefined if none wait. */
  #waiting: DeferredLines | undefined;
  /** Whether notices have colours: only on a terminal. Undefined before the first one. */
  #hasColours: boolean | undefined;
  /** Whether the terminal's last line was written by {@link progress}. */
  #hasProgress = false;
  /** The first error of standard output; later ones are its consequences. */
  #failure: NodeJS.ErrnoException | undefined;
  #isResultLost = false;
  /** Settles when all results are written or lost. */
  #written: Promise<void> = Promise.resolve();

  constructor(options: {
    readonly isJson: boolean;
    readonly stdout: NodeJS.WritableStream;
    readonly stderr: NodeJS.WritableStream;
    /** For the commands that errors suggest. */
    readonly workspace: CommandPlace;
  }) {
    this.isJson = options.isJson;
    this.#workspace = options.workspace;
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    // A closed terminal or pipe must not end a running bot.
    this.#stderr.on('error', () => {});
    this.#stdout.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  /** Removes `secrets` from every later line. */
  hide(secrets: readonly Secret[]): void {
    this.#filter = createSecretFilter(secrets);
  }

  /** From now on, notices of level `info` wait for up to `waitMs` and are written together. */
  deferNotices(timers: Pick<Timers, 'after'>, waitMs: number): void {
    this.#waiting = new DeferredLines(timers, waitMs, (lines) => this.#write(textOf(lines)));
  }

  /** From now on no line waits for the terminal of people. Returns it, if there is one. */
  useTerminal(timers: Pick<Timers, 'after'>): TerminalDevice | undefined {
    this.#terminal ??= openTerminal(this.#people() as TerminalStream, timers);
    return this.#terminal;
  }

  /** From now on `view` shows lines and notices, until a result, an error, or {@link endView}. */
  showView(view: TerminalView): void {
    this.#waiting?.flush();
    this.#view = view;
  }

  /** Gives the terminal back to lines, and prints the warnings that only the view has shown. */
  endView(): void {
    const view = this.#view;
    this.#view = undefined;
    for (const text of view?.end() ?? []) this.#print(withoutControls(text));
  }

  get hasView(): boolean {
    return this.#view !== undefined;
  }

  /** Returns the text without secrets. */
  filtered(text: string): string {
    return this.#filter(text);
  }

  line(text: string): void {
    this.notes.addLine(text);
    if (this.#view === undefined) this.#print(withoutControls(text));
  }

  /** The command that an error suggests, on a line of its own. */
  #helpOf({ suggests }: MillraceError): string {
    if (suggests === undefined) return '';
    return `\n  ${millraceCommand(this.#workspace, suggests.map(quoted).join(' '))}`;
  }

  #print(text: string): void {
    this.#waiting?.flush();
    this.#write(this.#lineOf(text));
  }

  #write(text: string): void {
    if (this.#terminal === undefined) this.#people().write(text);
    else this.#terminal.write(text);
  }

  #lineOf(text: string): string {
    return `${this.#clearing()}${this.#filter(text)}\n`;
  }

  /** Whether the output for people is a terminal, where {@link progress} reuses one line. */
  get isTerminal(): boolean {
    return (this.#people() as Partial<NodeJS.WriteStream>).isTTY === true;
  }

  /** Prints the progress; on a terminal the next line replaces it. */
  progress(text: string): void {
    if (!this.isTerminal) {
      this.line(text);
      return;
    }
    this.#waiting?.flush();
    this.#write(`${this.#clearing()}${this.#filter(text)}`);
    this.#hasProgress = true;
  }

  #people(): NodeJS.WritableStream {
    return this.isJson ? this.#stderr : this.#stdout;
  }

  #clearing(): string {
    const text = this.#hasProgress ? '\r\u001b[2K' : '';
    this.#hasProgress = false;
    return text;
  }

  /** Prints a notice of the engine with its time of day, or with date and time if `dated`. */
  notice(notice: Notice, nowMs: number, when?: 'dated'): void {
    this.notes.addNotice(notice, nowMs);
    if (this.#view !== undefined) return;
    if (this.#waiting === undefined || notice.level !== 'info') {
      this.#print(this.#noticeText(notice, nowMs, when));
      return;
    }
    const size = 1 + Math.floor(notice.text.length / charactersOfUsualLine);
    this.#waiting.append(() => this.#lineOf(this.#noticeText(notice, nowMs, when)), size);
  }

  #noticeText(notice: Notice, nowMs: number, when: 'dated' | undefined): string {
    const mark = notice.level === 'info' ? ' ' : notice.level === 'warn' ? '!' : '#';
    const time = new Date(nowMs).toISOString().slice(when === 'dated' ? 0 : 11, 19);
    const body = isPlain.test(notice.text)
      ? notice.text
      : withoutControls(notice.text.replace(/[\n\t]/gu, '?'));
    return this.coloured(styleOf(notice), `${time} ${mark} ${notice.topic.padEnd(9)} ${body}`);
  }

  /** Returns the text in a style, if the output for people has colours. */
  coloured(style: Exclude<Style, 'plain'> | 'reset', text: string): string {
    this.#hasColours ??= styleText('red', 'x', { stream: this.#people() }) !== 'x';
    return this.#hasColours ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Prints the result of a command: `lines` for people, or `value` as one line of JSON. */
  result(value: object, lines: readonly string[]): void {
    this.endView();
    this.#waiting?.flush();
    if (this.isJson) this.#writeResult(this.#filter(JSON.stringify(value)));
    else if (this.#terminal !== undefined)
      for (const text of lines) this.#print(withoutControls(text));
    else
      for (const text of lines)
        this.#writeResult(`${this.#clearing()}${this.#filter(withoutControls(text))}`);
  }

  #writeResult(text: string): void {
    const onWritten = (error: NodeJS.ErrnoException | null | undefined): void => {
      if (!error) return;
      this.#failure ??= error;
      this.#isResultLost = true;
    };
    this.#stdout.write(text, onWritten);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#written = promise;
    // A separate write: a nearly full disk accepts part of a line without an error, then fails.
    this.#stdout.write('\n', (error) => {
      onWritten(error);
      resolve();
    });
  }

  /**
   * Waits until all results are written. Returns the error if a part of them could not be written;
   * undefined if everything was, or if nobody reads the output any more.
   */
  async resultFailure(): Promise<StoreError | undefined> {
    await this.#written;
    const cause = this.#failure;
    // A terminal that accepts no output was closed, so it has no reader.
    const hasReader = (this.#stdout as Partial<NodeJS.WriteStream>).isTTY !== true;
    if (!this.#isResultLost || cause === undefined || !hasReader) return undefined;
    if (readerGoneCodes.includes(cause.code ?? '')) return undefined;
    const text = `cannot write to standard output: ${cause.message}; the result is missing or incomplete`;
    return new StoreError(text, { cause });
  }

  /** Prints an error to standard error: the message of a MillraceError, the stack of any other. */
  problem(error: unknown): void {
    const text =
      error instanceof MillraceError
        ? `millrace: ${error.message} (${error.code})${this.#helpOf(error)}`
        : `millrace: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    this.endView();
    this.#waiting?.flush();
    if (this.#hasProgress) this.#write(this.#clearing());
    const line = `${this.#filter(withoutControls(text))}\n`;
    const isTerminal = (this.#stderr as Partial<NodeJS.WriteStream>).isTTY === true;
    if (this.#terminal === undefined || !isTerminal) this.#stderr.write(line);
    else this.#terminal.write(line);
  }
}

/** Messages of an exchange may contain characters that hide or forge lines on a terminal. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
