/**
 * The newest lines for people, which the view shows: warnings, what strategies print, and what
 * changed. Routine notices about quotes, orders and fills are left out, since the view has them.
 *
 * Invariant: of any number of lines at most {@link notesMax} are kept.
 */
import type { Notice } from '../../domain/notice.ts';
import type { SecretFilter } from '../../runtime/secret-filter.ts';

const notesMax = 200;

export type Note = {
  readonly level: Notice['level'];
  readonly text: string;
  /** Undefined for a line without a time. */
  readonly atMs: number | undefined;
};

const marks: Readonly<Record<Note['level'], string>> = { info: ' ', warn: '!', alarm: '#' };

/** Returns a note with its time, or with as much space. */
export function noteText({ level, text, atMs }: Note): string {
  const time = atMs === undefined ? ' '.repeat(8) : new Date(atMs).toISOString().slice(11, 19);
  return `${time} ${marks[level]} ${text}`;
}

const shownElsewhere: ReadonlySet<Notice['topic']> = new Set(['quote', 'order', 'fill']);

export class RecentNotes {
  readonly #filter: SecretFilter;
  #notes: Note[] = [];
  /** How many notes there have been. */
  #count = 0;

  constructor(filter: SecretFilter) {
    this.#filter = filter;
  }

  /** Oldest first. */
  get all(): readonly Note[] {
    return this.#notes;
  }

  get count(): number {
    return this.#count;
  }

  addNotice({ level, topic, text }: Notice, atMs: number): void {
    if (level !== 'info' || !shownElsewhere.has(topic)) this.#add({ level, text, atMs });
  }

  addLine(text: string): void {
    const warning = /^! (?<rest>.*)$/su.exec(text)?.groups?.['rest'];
    if (warning !== undefined) this.#add({ level: 'warn', text: warning, atMs: undefined });
    else if (text.trim() !== '') this.#add({ level: 'info', text, atMs: undefined });
  }

  /** Returns the notes after the first `count` ones, as far as they are kept. */
  since(count: number): readonly Note[] {
    const more = Math.min(this.#count - count, this.#notes.length);
    return more > 0 ? this.#notes.slice(-more) : [];
  }

  #add(note: Note): void {
    this.#count++;
    this.#notes.push({ ...note, text: this.#filter(note.text) });
    // Seldom, because it moves all others.
    if (this.#notes.length > 2 * notesMax) this.#notes = this.#notes.slice(-notesMax);
  }
}
