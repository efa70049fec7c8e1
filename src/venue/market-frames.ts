/** The market stream as a venue writes it: captures and journals keep its frames as received. */
import type { BookMessage, BookSnapshot } from '../domain/book-message.ts';

export type MarketFrames = {
  /** Returns the message of a frame. Throws DecodeError that names the wrong value. */
  readonly decode: (frame: string) => BookMessage;
  readonly encode: (book: BookSnapshot) => string;
};

/**
 * Returns the frames of a venue by its protocol, see `VenueProperties`; without one, of the venue
 * whose recordings do not name it. Throws DecodeError for an unknown one.
 */
export type FramesOf = (protocol?: string) => MarketFrames;
