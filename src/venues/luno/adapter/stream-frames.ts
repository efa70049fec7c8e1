/** The frames of Luno's market stream. */
import type { BookMessage } from '../../../domain/book-message.ts';
import { DecodeError } from '../../../domain/errors.ts';
import type { MarketFrames } from '../../../venue/market-frames.ts';
import { decodeMarketFrame, encodeMarketBook } from '../api/market-messages.ts';

export const lunoMarketFrames: MarketFrames = {
  decode: decodeBookFrame,
  encode: encodeMarketBook,
};

/** The stream delivers no other messages, so neither a capture nor a journal has one. */
function decodeBookFrame(frame: string): BookMessage {
  const message = decodeMarketFrame(frame);
  if (message.kind === 'keep-alive' || message.kind === 'error')
    throw new DecodeError(`the frame must be a snapshot or an update, was of kind ${message.kind}`);
  return message;
}
