/** The account and its facts in the gate's oracle, in integers of 10^-18. */
export type Side = 'BID' | 'ASK';
export type OracleMarket = {
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  readonly priceMin: bigint;
  readonly priceMax: bigint;
  readonly volumeMin: bigint;
  readonly volumeMax: bigint;
  /** The smallest step of a volume. */
  readonly lot: bigint;
};
export type OracleOrder = {
  readonly strategy: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: bigint;
  readonly volume: bigint;
  readonly timeInForce: string;
  readonly postOnly: boolean;
  readonly stop: { readonly direction: 'ABOVE' | 'BELOW'; readonly price: bigint } | undefined;
  /** What a market order pays; undefined for other orders. */
  readonly pays: bigint | undefined;
  readonly reduceOnly: boolean;
  readonly accounts: readonly [base: string, counter: string];
  readonly createdMs: number;
};
export type Placed = OracleOrder & {
  readonly placedMs: number;
  /** Twice its distance from the mid (or its stop price) times its volume. */
  readonly stray2: bigint;
  isAwaiting: boolean;
  readonly fillsBefore: number;
  left: bigint;
  isOver: boolean;
  isWithdrawn: boolean;
  withdrawnMs: number;
  /** When it was withdrawn and when it was over, in the order of events; infinite before. */
  withdrawnAt: number;
  overAt: number;
  confirmedAt: number;
};
export type OracleFill = {
  readonly order: Placed;
  readonly strategy: string;
  readonly pair: string;
  readonly side: Side;
  readonly volume: bigint;
  readonly price: bigint;
  readonly feeBase: bigint;
  readonly feeCounter: bigint;
  readonly atMs: number;
  /** Whether its order was open, so that its reservation paid for the fill. */
  readonly isHeld: boolean;
  settledAt: number;
};
export type Level = { readonly price: bigint; readonly volume: bigint };
export type PairView = {
  status: string | undefined;
  unknown: number;
  isUsable: boolean;
  ageMs: number | undefined;
  /** Best bid plus best ask. */
  mid2: bigint | undefined;
  median: bigint | undefined;
  medianAgeMs: number | undefined;
  bids: readonly Level[];
  asks: readonly Level[];
};
export type Rules = {
  readonly strategies: Readonly<
    Record<
      string,
      {
        readonly pairs: readonly string[];
        readonly sides: readonly string[];
        readonly types: readonly string[];
        readonly timeInForce: readonly string[];
        readonly postOnly: string;
        readonly budget: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly accounts: Readonly<Record<string, string>>;
  readonly money: Readonly<
    Record<
      | 'openNotionalMax'
      | 'turnoverDayMax'
      | 'lossDayMax'
      | 'drawdownMax'
      | 'collarBudgetMax'
      | 'approveAbove'
      | 'strategyOpenMax',
      Readonly<Record<string, string>>
    >
  >;
  readonly pairs: Readonly<
    Record<
      string,
      {
        readonly orderMax: string;
        readonly positionMax: string;
        readonly collar: string;
        readonly slippage: string;
        readonly depthShare: string;
        readonly bookAgeMs: number;
      }
    >
  >;
  readonly feeBuffer: string;
  readonly ordersOpen: number;
  readonly perSecond: number;
  readonly perMinute: number;
  readonly strategyPerSecond: number;
  readonly strategyPerMinute: number;
  readonly cancelShare: string;
  readonly ordersPerFill: number;
  readonly identical: { readonly max: number; readonly withinMs: number };
  readonly fills: { readonly max: number; readonly withinMs: number };
  readonly rejections: { readonly max: number; readonly withinMs: number };
  readonly refusals: { readonly max: number; readonly withinMs: number };
  readonly losing: { readonly max: number; readonly restMs: number };
  readonly intentAgeMs: number;
};
