/**
 * Reads for a paper bot: public data come from the venue; everything about the account and its
 * orders comes from the paper exchange in this process.
 *
 * Invariant: no request about an account or an order reaches the venue.
 */
import type { FeeRates } from '../../domain/trading-conditions.ts';
import type { PaperCore } from '../../paper/paper-core.ts';
import type { VenueReader } from '../../venue/venue-reader.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { ReadRequest, RequestKind } from '../../venue/venue-request.ts';

/** What a paper bot asks of the venue; a read-only key suffices for it. */
export const paperReads: readonly RequestKind[] = ['markets', 'last-trade', 'fees', 'candles'];

/** Returns the reader; `fees`, by pair, replace those of the key's account. */
export function createPaperReader(
  venue: VenueReader,
  paper: Pick<PaperCore, 'ask'>,
  fees: ReadonlyMap<string, FeeRates>,
): VenueReader {
  return {
    properties: venue.properties,
    ask: async <Request extends ReadRequest>(request: Request) => {
      const set = request.kind === 'fees' ? fees.get(request.pair) : undefined;
      if (set !== undefined)
        // Only a request for fees has them.
        return { kind: 'ok', value: set, venueTimeMs: undefined } as VenueReply<Request['kind']>;
      return paperReads.includes(request.kind) ? venue.ask(request) : paper.ask(request);
    },
  };
}
