/** What trading costs and how long messages take, as a scenario or a paper account states it. */
/** Fractions as decimal strings; the maker's may be negative, a rebate. */
export type FeeRates = { readonly maker: string; readonly taker: string };

/** How long something is on its way, in microseconds; drawn with the scenario's seed. */
export type Latency =
  | { readonly kind: 'fixed'; readonly us: number }
  /** Each value of the range is equally likely. */
  | { readonly kind: 'between'; readonly fromUs: number; readonly toUs: number }
  /** Each of the measurements is equally likely. */
  | { readonly kind: 'measured'; readonly samplesUs: readonly number[] }
  /** The measurements of a run in their order, to go through it again; then the last one. */
  | { readonly kind: 'in-order'; readonly samplesUs: readonly number[] };
