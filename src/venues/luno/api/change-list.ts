/**
 * The change list of the exchange document, newest first. `operations` are the declared operations
 * that a change concerns.
 */
import type { OperationName } from './operations.ts';

/** The published version of the API; paths contain only the major version, 1. */
export const interfaceVersion = '1.2.5';

export type InterfaceChange = {
  /** As precise as the document: a day, a year, or a range of years. */
  readonly date: string;
  readonly change: string;
  readonly operations: readonly OperationName[];
};

export const changeList: readonly InterfaceChange[] = [
  {
    date: '2026-10-01',
    change: 'maximum client_order_id length on postorder and marketorder reduced from 255 to 100',
    operations: ['postorder', 'marketorder'],
  },
  {
    date: '2026-09-28',
    change: 'optional payment id added to the pending transaction object',
    operations: ['listPending'],
  },
  {
    date: '2026-08-20',
    change: 'optional type and payment id parameters added to address validation',
    operations: ['validateAddress'],
  },
  {
    date: '2026-08-13',
    change: 'account_type query parameter added to balance',
    operations: ['balance'],
  },
  { date: '2026-05-08', change: 'convert operation added', operations: ['convert'] },
  {
    date: '2026-01-07',
    change: 'optional source_account_id added to withdrawal creation',
    operations: ['createWithdrawal'],
  },
  {
    date: '2025-03-11',
    change: 'send networks operation added',
    operations: ['sendNetworks'],
  },
  {
    date: '2025-03-11',
    change: 'network id added to funding address and send',
    operations: ['getReceiveAddress', 'createReceiveAddress', 'send'],
  },
  { date: '2025-02-03', change: 'users list operation added', operations: ['linkedUsers'] },
  { date: '2024', change: 'timestamp fields declared integers', operations: [] },
  {
    date: '2024',
    change: 'account_id added to receive-address creation and send',
    operations: ['createReceiveAddress', 'send'],
  },
  {
    date: '2024',
    change: 'UNKNOWN status added to ticker and market information',
    operations: ['ticker', 'tickers', 'markets'],
  },
  {
    date: '2024',
    change: 'bank_recipient filter, beneficiary create and delete added',
    operations: ['listBeneficiaries', 'createBeneficiary', 'deleteBeneficiary'],
  },
  {
    date: '2024',
    change: 'transfer_id added to withdrawal',
    operations: ['listWithdrawals', 'getWithdrawal'],
  },
  {
    date: '2024',
    change: 'base_account_id and counter_account_id added to the v2 order',
    operations: ['listOrdersV2', 'getOrderV2', 'getOrderV3'],
  },
  {
    date: '2022-06-23',
    change: 'time_in_force added to postorder and order reads',
    operations: ['postorder', 'listOrders', 'getOrder', 'listOrdersV2', 'getOrderV2', 'getOrderV3'],
  },
  { date: '2022-06-23', change: 'candles call authenticated', operations: ['candles'] },
  { date: '2021', change: 'balance stream', operations: [] },
  { date: '2021', change: 'user stream', operations: [] },
  { date: '2021', change: 'error code list', operations: [] },
  { date: '2021', change: 'transfers list', operations: ['listTransfers'] },
  { date: '2021', change: '1-minute candles', operations: ['candles'] },
  { date: '2020', change: 'domain changed', operations: [] },
  { date: '2020', change: 'Lightning section removed', operations: [] },
  { date: '2020', change: 'XRP destination tag parameters on send', operations: ['send'] },
  { date: '2020', change: 'account rename added', operations: ['renameAccount'] },
  { date: '2019-11-21', change: 'beneficiaries list added', operations: ['listBeneficiaries'] },
  {
    date: '2019-05-14',
    change: 'external_id on send and withdrawals',
    operations: ['send', 'createWithdrawal'],
  },
  { date: '2018', change: 'before on listtrades', operations: ['listtrades'] },
  { date: '2018', change: 'aggregated order book', operations: ['orderBookTop'] },
  { date: '2018', change: 'post_only on postorder', operations: ['postorder'] },
  { date: '2018', change: 'order book stream timestamp', operations: [] },
  {
    date: '2017',
    change: 'maker and taker order ids on streaming trades (order_id deprecated)',
    operations: [],
  },
  { date: '2017', change: 'grant flow closed to new applications', operations: ['grant'] },
  { date: '2017', change: 'fee_info added', operations: ['feeInfo'] },
  {
    date: '2017',
    change: 'trades call returns BID or ASK types only and may lag',
    operations: ['listtrades'],
  },
  { date: '2016', change: 'trades capped at 100', operations: ['trades'] },
  {
    date: '2016',
    change: 'address creation limit changed to 1 per hour with bursts of 10',
    operations: ['createReceiveAddress'],
  },
  { date: '2016', change: 'listtrades added', operations: ['listtrades'] },
  { date: '2016', change: 'streaming beta', operations: [] },
  { date: '2016', change: 'beneficiary_id on withdrawals', operations: ['createWithdrawal'] },
  { date: '2016', change: 'HTTP 429 for rate limits', operations: [] },
  { date: '2016', change: 'completed_timestamp', operations: ['listOrders', 'getOrder'] },
  { date: '2016', change: 'since and is_buy on trades', operations: ['trades'] },
  { date: '2015', change: 'market orders', operations: ['marketorder'] },
  {
    date: '2015',
    change: 'beneficiary permissions (a new key is needed for them)',
    operations: ['listBeneficiaries'],
  },
  {
    date: '2015',
    change: 'withdrawals paths lost the trailing slash (old URLs deprecated)',
    operations: ['listWithdrawals', 'createWithdrawal'],
  },
  { date: '2015', change: 'account creation', operations: ['createAccount'] },
  { date: '2015', change: 'name in balance', operations: ['balance'] },
  {
    date: '2014-2015',
    change: 'quotes, send and grant added',
    operations: ['createQuote', 'getQuote', 'exerciseQuote', 'discardQuote', 'send', 'grant'],
  },
  { date: '2014-2015', change: 'withdrawal amount excludes fee', operations: ['createWithdrawal'] },
  {
    date: '2014-2015',
    change: 'per-pair URLs replaced by /api/1/x?pair=... (old URLs deprecated)',
    operations: ['ticker', 'orderBook', 'trades'],
  },
  {
    date: '2014-2015',
    change: 'orders created through the interface no longer expire',
    operations: ['postorder'],
  },
];
