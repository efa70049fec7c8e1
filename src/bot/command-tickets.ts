/** Numbers the commands of operators, and passes each answer on to who asked. */
import type { Effect, OperatorCommand } from '../engine/event.ts';
import type { RunNotes } from './status/run-notes.ts';

export type Operated = Extract<Effect, { readonly kind: 'operated' }>;

export class CommandTickets {
  readonly #notes: Pick<RunNotes, 'beginCommand'>;
  readonly #listeners = new Map<number, (answer: Operated) => void>();
  #last = 0;

  constructor(notes: Pick<RunNotes, 'beginCommand'>) {
    this.#notes = notes;
  }

  /** Returns the number of a command; `onAnswer` gets the answers to it. */
  issue(
    { command, reason, scope }: Omit<OperatorCommand, 'ticket'>,
    askedBy: string,
    onAnswer: (answer: Operated) => void,
  ): number {
    const ticket = ++this.#last;
    const end = this.#notes.beginCommand({ askedBy, command, reason, scope });
    this.#listeners.set(ticket, (answer) => {
      if (answer.isDone) end(answer.isRefused === true, answer.text);
      onAnswer(answer);
    });
    return ticket;
  }

  /** Passes an answer on. */
  answer(answer: Operated): void {
    this.#listeners.get(answer.ticket)?.(answer);
    if (answer.isDone) this.#listeners.delete(answer.ticket);
  }
}
