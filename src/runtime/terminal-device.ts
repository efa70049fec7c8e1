/**
 * A terminal that never keeps the process waiting: a write to `process.stdout` waits for a terminal
 * that was stopped (Ctrl-S) or whose connection hangs, and everything else waits with it.
 *
 * Invariants: what waits to be written is bounded; the modes of the terminal are restored when the
 * process ends itself, in whatever way.
 */
import { constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { Cancel, Timers } from './timers.ts';

const usualSize = { columns: 80, rows: 24 };
const waitingBytesMax = 2 ** 20;
const triedEveryMs = 50;
/** How long a process that ends waits for its terminal. */
const endWaitsMs = 1_000;

/** Not 0 while another screen is shown; shared with the thread that ends a process that hangs. */
export const isScreenShown = new Int32Array(new SharedArrayBuffer(4));
/** Another screen than the one with the scrollback, and no cursor. */
const enterScreen = '\u001b[?1049h\u001b[?25l';
export const leaveScreen = '\u001b[?25h\u001b[?1049l';

/** What a stream has that is a terminal. */
export type TerminalStream = {
  readonly isTTY?: boolean;
  readonly fd?: number;
  readonly columns?: number;
  readonly rows?: number;
};

/** Opens the terminal of `stream`; undefined if it is none, or cannot be opened like this. */
export function openTerminal(
  stream: TerminalStream,
  timers: Pick<Timers, 'after'>,
): TerminalDevice | undefined {
  if (stream.isTTY !== true || stream.fd === undefined || process.platform === 'win32')
    return undefined;
  // Opened again, because whether a write waits is a property of an open file that others share.
  const path = process.platform === 'linux' ? `/proc/self/fd/${stream.fd}` : '/dev/tty';
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return new TerminalDevice(stream, openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY), timers);
  } catch {
    return undefined;
  }
}

export class TerminalDevice {
  readonly #stream: TerminalStream;
  readonly #file: number;
  readonly #timers: Pick<Timers, 'after'>;
  #waiting = Buffer.alloc(0);
  #leftOut = 0;
  #isGone = false;
  #isShown = false;
  #cancel: Cancel | undefined;

  constructor(stream: TerminalStream, file: number, timers: Pick<Timers, 'after'>) {
    this.#stream = stream;
    this.#file = file;
    this.#timers = timers;
    process.on('exit', () => this.end());
  }

  get size(): { readonly columns: number; readonly rows: number } {
    const { columns = 0, rows = 0 } = this.#stream;
    return { columns: columns || usualSize.columns, rows: rows || usualSize.rows };
  }

  /** Whether the terminal has taken everything. */
  isReady(): boolean {
    return this.#flush();
  }

  /** Whether the shell has given the terminal to this process, and not to another job. */
  isForeground(): boolean {
    if (process.platform !== 'linux') return true;
    // After the name, which may contain anything: state, parent, group, session, terminal, and the
    // group in the terminal's foreground, which is -1 without a terminal.
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /su, '')
      .split(' ');
    return foreground === group || foreground === '-1';
  }

  /** Writes the text, as soon as the terminal takes it. */
  write(text: string): void {
    if (this.#isGone) return;
    if (this.#waiting.length > waitingBytesMax) {
      this.#leftOut++;
      return;
    }
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(text)]);
    if (!this.#flush()) this.#tryAgain();
  }

  /** Shows another screen, until {@link leave} or the end of the process. */
  enter(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    isScreenShown[0] = 1;
    this.write(enterScreen);
  }

  leave(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    isScreenShown[0] = 0;
    this.write(leaveScreen);
  }

  /** Leaves the other screen, and waits a moment for the terminal: the process ends. */
  end(): void {
    this.leave();
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; waitedMs < endWaitsMs && !this.#flush(); waitedMs += triedEveryMs)
      Atomics.wait(pause, 0, 0, triedEveryMs);
  }

  #tryAgain(): void {
    this.#cancel ??= this.#timers.after(triedEveryMs, () => {
      this.#cancel = undefined;
      if (!this.#flush()) this.#tryAgain();
    });
  }

  /** Writes as much as the terminal takes; returns whether that was everything. */
  #flush(): boolean {
    while (this.#waiting.length > 0 && !this.#isGone) {
      try {
        this.#waiting = this.#waiting.subarray(writeSync(this.#file, this.#waiting));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The terminal was closed.
        this.#isGone = true;
        this.#waiting = Buffer.alloc(0);
      }
      if (this.#waiting.length > 0 || this.#leftOut === 0) continue;
      this.#waiting = Buffer.from(`! ${this.#leftOut} lines left out: the terminal took none\n`);
      this.#leftOut = 0;
    }
    return true;
  }
}
