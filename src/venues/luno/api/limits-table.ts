/**
 * Every row of both documents' limits tables, in order, with our figures, and the figure that an
 * earlier revision states differently.
 */
import { limitRevisions, type limits, type RevisionLimits } from './limits.ts';

export type LimitRow = {
  readonly document: 'exchange' | 'wallet';
  /** The document's name for the limit. */
  readonly name: string;
  /** The document's text. */
  readonly text: string;
  readonly figures: readonly (keyof typeof limits)[];
  /** The figure that differs in an earlier revision, see `limitRevisions`. */
  readonly revised?: keyof RevisionLimits;
};

export const limitRows: readonly LimitRow[] = [
  {
    document: 'exchange',
    name: 'Request rate',
    text: '300 calls per minute; excess gets HTTP 429',
    figures: ['requestsPerMinuteMax'],
    revised: 'requests',
  },
  {
    document: 'exchange',
    name: 'Simultaneous streaming sessions',
    text: '50',
    figures: ['streamSessionsMax'],
  },
  {
    document: 'exchange',
    name: 'Accounts per currency',
    text: '10 (an earlier revision stated 4)',
    figures: ['accountsPerCurrencyMax'],
    revised: 'accountsPerCurrencyMax',
  },
  {
    document: 'exchange',
    name: 'Ledger rows per call',
    text: '1000',
    figures: ['ledgerRowsPerCallMax'],
  },
  {
    document: 'exchange',
    name: 'Order book top',
    text: '100 bids and 100 asks',
    figures: ['orderBookTopLevelsMax'],
  },
  {
    document: 'exchange',
    name: 'Public trades',
    text: '100 per call, not older than 24 hours',
    figures: ['publicTradesPerCallMax', 'publicTradesAgeMsMax'],
  },
  {
    document: 'exchange',
    name: 'List limits (orders, trades, moves)',
    text: '1 to 1000, default 100',
    figures: ['listLimitMin', 'listLimitMax', 'listLimitDefault'],
  },
  {
    document: 'exchange',
    name: 'Candles per call',
    text: '1000 earliest from `since`',
    figures: ['candlesPerCallMax'],
  },
  {
    document: 'exchange',
    name: '`ttl`',
    text: '1 to 10000 ms, default 10000',
    figures: ['ttlMsMin', 'ttlMsMax', 'ttlMsDefault'],
  },
  {
    document: 'exchange',
    name: '`client_order_id` length',
    text: '100',
    figures: ['clientOrderIdLengthMax'],
    revised: 'clientOrderIdLengthMax',
  },
  {
    document: 'exchange',
    name: '`client_move_id` length',
    text: '255',
    figures: ['clientMoveIdLengthMax'],
  },
  {
    document: 'exchange',
    name: 'Transaction description',
    text: '256 characters',
    figures: ['descriptionLengthMax'],
  },
  {
    document: 'exchange',
    name: 'Receive address creation',
    text: '1 per hour, burst of 10',
    figures: ['addressCreationIntervalMs', 'addressCreationBurst'],
  },
  {
    document: 'exchange',
    name: 'Ethereum receive addresses',
    text: '1',
    figures: ['ethereumAddressesMax'],
  },
  {
    document: 'exchange',
    name: 'Closed-order data',
    text: 'archived 100 days after completion',
    figures: ['closedOrderArchiveDays'],
  },
  {
    document: 'exchange',
    name: 'Market data cache',
    text: 'up to 1 second',
    figures: ['marketDataCacheMs'],
  },
  {
    document: 'exchange',
    name: 'Stream resend cache',
    text: '5 minutes',
    figures: ['userStreamCacheMs'],
  },
  {
    document: 'wallet',
    name: 'Amount',
    text: 'up to 12 integer digits and 18 fractional digits',
    figures: ['amountIntegerDigitsMax', 'amountFractionDigitsMax'],
  },
  {
    document: 'wallet',
    name: 'Wallet name',
    text: '1 to 100 characters',
    figures: ['walletNameLengthMin', 'walletNameLengthMax'],
  },
  {
    document: 'wallet',
    name: 'Page size',
    text: 'default 100, maximum 1000',
    figures: ['pageSizeMin', 'pageSizeMax', 'pageSizeDefault'],
  },
  {
    document: 'wallet',
    name: 'Page index',
    text: 'default 0, maximum 100',
    figures: ['pageIndexMax', 'pageIndexDefault'],
  },
];

/** Limits that only earlier revisions of the exchange document have. */
export const earlierRequestLimits = {
  name: 'Other request limits',
  text:
    'market data 1 call per second per IP address and all other calls 1 call per second per ' +
    'customer with bursts of up to five',
  figures: limitRevisions.earlier,
} as const;
