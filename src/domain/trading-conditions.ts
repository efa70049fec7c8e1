/** Fees and latencies of a scenario or a paper account. */

/** Fractions as decimal strings; a negative maker fee is a rebate. */
export type FeeRates = { readonly maker: string; readonly taker: string };

/** How long a message takes, in microseconds. Random values depend on the scenario's seed. */
export type Latency =
  | { readonly kind: 'fixed'; readonly us: number }
  /** Uniformly distributed between the bounds. */
  | { readonly kind: 'between'; readonly fromUs: number; readonly toUs: number }
  /** One of the measurements, each equally likely. */
  | { readonly kind: 'measured'; readonly samplesUs: readonly number[] }
  /** The measurements of a run, in order, to replay it; after the end, the last one. */
  | { readonly kind: 'in-order'; readonly samplesUs: readonly number[] };
