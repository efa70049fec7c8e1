/**
 * A program in a pseudo-terminal, and the screen that a person would see of it: the emulator that
 * editors use shows what the program writes.
 */
import pty, { type IPty } from '@lydell/node-pty';
import headless, { type Terminal } from '@xterm/headless';
import { type Ended, eventually } from './process-bot.ts';

export type PtyOptions = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** A piece of a line that looks alike, from its first column. */
export type Look = {
  readonly column: number;
  text: string;
  cells: number;
  /** Number of a colour of the terminal's palette. */
  readonly colour: number | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
};

function styleOf({ colour, isBold, isDim, isInverse }: Look): string {
  return [colour, isBold, isDim, isInverse].join();
}

export class PtyScreen {
  readonly #program: IPty;
  readonly #terminal: Terminal;
  #hasEnded = false;
  /** When the program has ended. */
  readonly ended: Promise<Ended>;
  /** All bytes that the program wrote. */
  written = '';

  constructor({ file, args, cwd, columns, rows, env = {} }: PtyOptions) {
    const size = { cols: columns, rows };
    this.#terminal = new headless.Terminal({ ...size, allowProposedApi: true, scrollback: 5_000 });
    const all = { ...process.env, TERM: 'xterm-256color', NO_COLOR: undefined, ...env };
    const known = Object.entries(all).filter((entry): entry is [string, string] => {
      return entry[1] !== undefined;
    });
    this.#program = pty.spawn(file, [...args], { ...size, cwd, env: Object.fromEntries(known) });
    this.#program.onData((text) => {
      this.written += text;
      this.#terminal.write(text);
    });
    this.ended = new Promise((resolve) => {
      this.#program.onExit(({ exitCode, signal }) => {
        this.#hasEnded = true;
        const code = signal === undefined || signal === 0 ? exitCode : null;
        // What was written before is still on its way to the screen.
        this.#terminal.write('', () => resolve({ code, signal: null }));
      });
    });
  }

  get pid(): number {
    return this.#program.pid;
  }

  /** Whether the program shows another screen than the one with the scrollback. */
  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  /** Whether the cursor was hidden last. */
  get isCursorHidden(): boolean {
    return this.written.lastIndexOf('\u001b[?25l') > this.written.lastIndexOf('\u001b[?25h');
  }

  /** Whether lines that are too long are cut instead of wrapped. */
  get isWrapping(): boolean {
    return this.#terminal.modes.wraparoundMode;
  }

  /** The lines that are visible. */
  get lines(): readonly string[] {
    const { baseY } = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) => this.#line(baseY + row));
  }

  /** The lines with the scrollback, without the empty ones at the end. */
  get scrollback(): string {
    const { length } = this.#terminal.buffer.active;
    return Array.from({ length }, (_, row) => this.#line(row))
      .join('\n')
      .trimEnd();
  }

  #line(row: number): string {
    return this.#terminal.buffer.active.getLine(row)?.translateToString(true) ?? '';
  }

  /** The visible lines in pieces that look alike. */
  get looks(): readonly (readonly Look[])[] {
    const { baseY } = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) => this.#looksOf(baseY + row));
  }

  #looksOf(row: number): readonly Look[] {
    const line = this.#terminal.buffer.active.getLine(row);
    const looks: Look[] = [];
    for (let column = 0; column < this.#terminal.cols; column++) {
      const cell = line?.getCell(column);
      // A wide character has a second cell, which is empty.
      if (cell === undefined || cell.getWidth() === 0) continue;
      const look = {
        ...{ column, text: cell.getChars() || ' ', cells: cell.getWidth() },
        colour: cell.isFgPalette() ? cell.getFgColor() : undefined,
        ...{ isBold: cell.isBold() !== 0, isDim: cell.isDim() !== 0 },
        isInverse: cell.isInverse() !== 0,
      };
      const last = looks.at(-1);
      if (last === undefined || styleOf(last) !== styleOf(look)) looks.push(look);
      else {
        last.text += look.text;
        last.cells += look.cells;
      }
    }
    return looks;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** Types keys, such as Ctrl-C as `\u0003`. */
  type(keys: string): void {
    this.#program.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#program.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    this.#program.kill(signal);
  }

  /** Stops taking what the program writes, as a terminal whose connection hangs. */
  pause(): void {
    this.#program.pause();
  }

  resume(): void {
    this.#program.resume();
  }

  /** Whether the visible lines match within the time, and before the program ends. */
  async shows(pattern: RegExp, withinMs = 20_000): Promise<boolean> {
    const isShown = (): boolean => pattern.test(this.lines.join('\n'));
    await eventually(() => isShown() || this.#hasEnded, withinMs).catch(() => {});
    return isShown();
  }
}
