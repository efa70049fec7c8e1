/** The frames of Luno's market stream. */
import type { MarketFrames } from '../../../venue/market-frames.ts';
import { decodeMarketFrame, encodeMarketBook } from '../api/market-messages.ts';

export const lunoMarketFrames: MarketFrames = {
  decode: decodeMarketFrame,
  encode: encodeMarketBook,
};
