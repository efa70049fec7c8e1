/**
 * What the page of a backtest, and that of a comparison, shows: plain data that stands in the HTML
 * file as JSON. Everything is exact; the page rounds what it shows.
 *
 * A change that an older page cannot show, or an older comparison cannot read, takes the next
 * {@link pageFormat}.
 */

export const pageFormat = 1;

export type BacktestPageData = {
  readonly page: 'backtest';
  readonly format: number;
  /** The version of the program that wrote it. */
  readonly program: string;
  readonly scenario: string;
  readonly pairs: readonly string[];
  readonly hash: string;
  readonly rows: number;
  readonly seconds: number;
  /** The time played, in ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** The path of each recording, and the hash of its contents; null for an NDJSON data set. */
  readonly recordings: readonly { readonly path: string; readonly hash: string | null }[];
  /** About the whole run; those of a market are with it. */
  readonly cautions: readonly string[];
  /** Totals of several markets; empty with one. */
  readonly cards: readonly PageCard[];
  /** The charts of all markets together; undefined unless several share a currency. */
  readonly chart: PageChart | undefined;
  readonly markets: readonly PageMarket[];
  readonly tables: readonly PageTable[];
  readonly printed: { readonly lines: readonly string[]; readonly leftOut: number };
  /** As JSON. */
  readonly settings: string;
  readonly notes: readonly string[];
};

export type PageMarket = {
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  /** How fills were decided, if the recording holds trades or candles. */
  readonly coarse:
    | { readonly grade: string; readonly caution: string; readonly rules: readonly string[] }
    | undefined;
  readonly cautions: readonly string[];
  readonly cards: readonly PageCard[];
  readonly chart: PageChart;
  /** Drawn over the first pane of the chart. */
  readonly marks: PageMarks;
  readonly tables: readonly PageTable[];
};

export type ComparisonPageData = {
  readonly page: 'comparison';
  readonly format: number;
  readonly program: string;
  readonly a: ComparedResult;
  readonly b: ComparedResult;
  readonly notes: readonly string[];
  /** Each pair that both results have, or the account of both. */
  readonly overlays: readonly { readonly title: string; readonly chart: PageChart }[];
  /** With the columns A, B and difference. */
  readonly tables: readonly PageTable[];
};

/** A result of a comparison: its page without what is compared in tables. */
export type ComparedResult = Omit<BacktestPageData, 'tables' | 'printed' | 'settings'>;

/** A figure as it is shown; `unit` is a currency. */
export type PageValue = {
  readonly kind: 'text' | 'amount' | 'count' | 'share' | 'bps' | 'ratio' | 'seconds';
  /** A text, or a decimal; null if it is not known. */
  readonly exact: string | null;
  readonly unit?: string;
};

export type PageCard = {
  readonly name: string;
  readonly value: PageValue;
  /** Whether its sign says if it is good. */
  readonly isGain?: true;
};

export type PageTable = {
  readonly title: string;
  /** Of the values; empty for a single value in each row. */
  readonly columns: readonly string[];
  readonly rows: readonly PageRow[];
};

export type PageRow = { readonly name: string; readonly values: readonly PageValue[] };

/** Panes over one axis of time. */
export type PageChart = {
  /** In milliseconds since the epoch, or since the start of the run. */
  readonly times: readonly number[];
  readonly isSinceStart?: true;
  readonly panes: readonly PagePane[];
};

export type PagePane = {
  readonly title: string;
  readonly unit: string;
  readonly height: number;
  /** A value that the axis includes, such as 0. */
  readonly includes?: number;
  readonly series: readonly PageSeries[];
};

export type PageSeries = {
  readonly name: string;
  /** The name of a colour of the theme. */
  readonly look:
    | ('bid' | 'ask' | 'own-bid' | 'own-ask')
    | ('profit' | 'drawdown' | 'position' | 'b')
    | ('plot-1' | 'plot-2' | 'plot-3' | 'plot-4');
  readonly isArea?: true;
  /** One for each time; the value stays until the next time. */
  readonly values: readonly (string | null)[];
};

/** Fills, orders and refusals in columns; texts are given once and named by their index. */
export type PageMarks = {
  readonly texts: readonly string[];
  readonly fills: {
    /** How many there were; the columns may have fewer. */
    readonly all: number;
    readonly atMs: readonly number[];
    readonly isBid: readonly (0 | 1)[];
    readonly isMaker: readonly (0 | 1)[];
    readonly price: readonly string[];
    readonly volume: readonly string[];
    readonly feeBase: readonly string[];
    readonly feeCounter: readonly string[];
    readonly order: readonly number[];
    readonly strategy: readonly number[];
    readonly reason: readonly number[];
  };
  readonly orders: {
    readonly all: number;
    readonly fromMs: readonly number[];
    /** Null if it was open at the end. */
    readonly toMs: readonly (number | null)[];
    readonly isBid: readonly (0 | 1)[];
    readonly price: readonly string[];
    readonly volume: readonly string[];
    readonly state: readonly number[];
    readonly order: readonly number[];
    readonly strategy: readonly number[];
    readonly reason: readonly number[];
  };
  readonly refusals: {
    readonly all: number;
    readonly atMs: readonly number[];
    readonly strategy: readonly number[];
    /** Which checks of the gate refused, with their values. */
    readonly reason: readonly number[];
  };
};
