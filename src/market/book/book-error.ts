/**
 * The faults of a change to a book, or of a message that carries a change. The book refuses the
 * change and stays as it was; the caller decides whether the book can still be used.
 */
import { MillraceError } from '../../domain/errors.ts';

export type BookFault =
  // A change that does not fit the book.
  | 'DUPLICATE_ORDER'
  | 'UNKNOWN_ORDER'
  | 'PRICE_INVALID'
  | 'VOLUME_INVALID'
  | 'VOLUME_EXCEEDS_ORDER'
  | 'VOLUME_OVERFLOW'
  // A message that does not fit the stream.
  | 'AMOUNT_INVALID'
  | 'SEQUENCE_INVALID'
  | 'SEQUENCE_GAP'
  | 'SEQUENCE_REPEATED'
  | 'BOOK_CROSSED'
  // The stream itself.
  | 'DISCONNECTED'
  | 'STALE';

export class BookError extends MillraceError {
  readonly code = 'MR_BOOK';
  readonly recovery = 'give-up';
  readonly fault: BookFault;

  constructor(fault: BookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
