/**
 * Imports order flow from a snapshot and events in gzipped JSON; see order-flow-reader.ts for the
 * format.
 */
import { join } from 'node:path';
import type { FlowSource } from '../file/flow-source.ts';
import { importedMarket, sourceFileOf } from '../file/flow-source.ts';
import { profileOrderFlow } from './order-flow-profile.ts';
import { OrderFlowReader, readFlowSnapshot } from './order-flow-reader.ts';

export type ImportOptions = {
  readonly base: string;
  readonly counter: string;
  /** Number of decimals; if undefined, as many as the data needs. */
  readonly priceScale: number | undefined;
  readonly volumeScale: number | undefined;
  /** Whether amounts of a table are rounded to the scales, which must then be given. */
  readonly round?: boolean | undefined;
};

/**
 * Opens `snapshot.json.gz` and `events.ndjson.gz` in `folder`. Throws NotFoundError or DecodeError.
 */
export async function importNdjson(folder: string, options: ImportOptions): Promise<FlowSource> {
  const files = {
    snapshot: join(folder, 'snapshot.json.gz'),
    events: join(folder, 'events.ndjson.gz'),
  };
  const sources = [await sourceFileOf(files.snapshot), await sourceFileOf(files.events)] as const;
  const eventsBytesMax = sources[1].bytes;
  const profile = await profileOrderFlow({ ...files, eventsBytesMax }, { mayBeEmpty: true });
  const { base, counter } = options;
  const priceScale = options.priceScale ?? profile.priceScale;
  const volumeScale = options.volumeScale ?? profile.volumeScale;
  const market = importedMarket({ base, counter, priceScale, volumeScale });
  const resting = await readFlowSnapshot(files.snapshot, market);
  const reader = new OrderFlowReader(files.events, market, eventsBytesMax);
  return {
    header: {
      grade: 'order',
      market,
      venue: profile.venue,
      format: 'order-flow-ndjson',
      sources,
      tick: profile.priceStep * 10 ** (priceScale - profile.priceScale),
      lot: 1,
    },
    resting,
    items: reader.batches(),
    get notes() {
      const { rows: _, ...notes } = reader.counts;
      return notes;
    },
  };
}
