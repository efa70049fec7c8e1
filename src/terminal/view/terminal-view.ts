/**
 * Shows a running bot on a terminal, several times a second, until it ends.
 *
 * Invariants: a terminal that does not take what was written gets nothing more until it does, so it
 * never delays the bot; an error of the view ends the view and nothing else; whoever ends it finds
 * the terminal as it was.
 */
import type { BotStatus } from '../../domain/bot-status.ts';
import type { TerminalDevice } from '../../runtime/terminal-device.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import { noteText, type RecentNotes } from './recent-notes.ts';
import { Screen } from './screen.ts';
import type { Style } from './styled-line.ts';
import { type ViewSize, type ViewTexts, viewLines } from './view-lines.ts';

export type ViewDevice = Pick<
  TerminalDevice,
  'enter' | 'isForeground' | 'isReady' | 'leave' | 'size' | 'write'
>;

export type TerminalViewOptions = {
  readonly device: ViewDevice;
  readonly timers: Pick<Timers, 'every'>;
  readonly statusOf: () => BotStatus;
  readonly notes: RecentNotes;
  readonly texts: ViewTexts;
  readonly coloured: (style: Style, text: string) => string;
  /** Called once, if the view cannot go on. */
  readonly onError: (error: unknown) => void;
};

const drawnEveryMs = 250;
/** Everything is drawn again now and then, because others may write to the terminal. */
const drawsOfWhole = 20;
const warningsMax = 20;

export class TerminalView {
  readonly #options: TerminalViewOptions;
  readonly #screen: Screen;
  readonly #cancel: Cancel;
  readonly #notesBefore: number;
  #drawsSinceWhole = 0;
  #isShown = false;
  #size: ViewSize = { columns: 0, rows: 0 };

  constructor(options: TerminalViewOptions) {
    this.#options = options;
    this.#screen = new Screen(options.coloured);
    this.#notesBefore = options.notes.count;
    this.#cancel = options.timers.every(drawnEveryMs, () => this.#draw(), { unref: true });
  }

  /** Gives the terminal back, and returns the warnings that only the view has shown, as lines. */
  end(): readonly string[] {
    const { notes, texts } = this.#options;
    this.#cancel();
    this.hide();
    const warnings = notes.since(this.#notesBefore).filter(({ level }) => level !== 'info');
    if (warnings.length === 0) return [];
    const newest = warnings.slice(-warningsMax);
    const which =
      newest.length < warnings.length ? `the newest ${warningsMax} warnings` : 'warnings';
    return [`${which} of the view; all lines are in ${texts.log}`, ...newest.map(noteText)];
  }

  /** Gives the terminal back until the next draw. */
  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#options.device.leave();
  }

  #draw(): void {
    const { device, onError } = this.#options;
    try {
      if (!device.isForeground()) this.hide();
      else if (device.isReady()) this.#drawTo(device.size);
    } catch (error) {
      onError(error);
    }
  }

  #drawTo(size: ViewSize): void {
    const { device, statusOf, notes, texts } = this.#options;
    const isSameSize = size.columns === this.#size.columns && size.rows === this.#size.rows;
    const isWhole = !this.#isShown || !isSameSize || this.#drawsSinceWhole >= drawsOfWhole;
    this.#drawsSinceWhole = isWhole ? 1 : this.#drawsSinceWhole + 1;
    const lines = viewLines(statusOf(), notes.all, size, texts);
    if (!this.#isShown) device.enter();
    this.#isShown = true;
    this.#size = size;
    const text = this.#screen.show(lines, isWhole ? 'all' : 'changes');
    if (text !== '') device.write(text);
  }
}
