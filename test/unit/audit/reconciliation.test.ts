/** Every planted difference between a small store and the exchange's records is found. */
import { describe, expect, test } from 'vitest';
import type { Difference } from '../../../src/audit/difference.ts';
import { type ExchangeRecord, reconcile } from '../../../src/audit/reconciliation.ts';
import type { StoreRecord } from '../../../src/domain/records.ts';
import type { TransactionEntry } from '../../../src/venues/luno/api/operations/account-operations.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../src/venues/luno/api/operations/order-operations.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { movementOfWire, orderOfWire, tradeOfWire } from '../../support/wire-reader.ts';
import { fill, ledger, noonMs, order } from '../store/store-samples.ts';

const accounts = { XBT: '11', ZAR: '13' };
const pairs = new Map([['XBTZAR', { base: 'XBT', counter: 'ZAR' }]]);
const done = { base: '0.001', counter: '1000', feeBase: '0.000001', completedMs: noonMs + 5 };
const trade = { pair: 'XBTZAR', sequence: '7' };

/** One order that bought 0.001 and was cancelled; one that was never sent. */
const stored: StoreRecord[] = [
  order(1, { state: 'cancelled', ...done }),
  order(2, { state: 'unsent', orderId: undefined }),
  fill('7'),
  ledger(1, { balance: '1', balanceDelta: '1', kind: 'TRANSFER' }),
  ledger(2, { ...trade, balance: '1.000999', balanceDelta: '0.000999' }),
  ledger(1, { accountId: '13', currency: 'ZAR', balance: '5000', balanceDelta: '5000' }),
  ledger(2, {
    accountId: '13',
    currency: 'ZAR',
    ...trade,
    balance: '4000',
    balanceDelta: '-1000',
  }),
];

const orderAtExchange: OrderRecord = {
  order_id: 'BX1',
  client_order_id: 'test-1',
  pair: 'XBTZAR',
  side: 'BUY',
  type: 'LIMIT',
  status: 'COMPLETE',
  time_in_force: 'GTC',
  limit_price: '1000000.00',
  limit_volume: '0.01',
  base: '0.00100000',
  counter: '1000.0',
  fee_base: '0.000001',
  fee_counter: '0.00',
  base_account_id: '11',
  counter_account_id: '13',
  creation_timestamp: noonMs,
  completed_timestamp: noonMs + 5,
  expiration_timestamp: 0,
  stop_direction: '',
  stop_price: '0',
  leverage: 0,
};

const tradeAtExchange: UserTrade = {
  order_id: 'BX1',
  client_order_id: 'test-1',
  ...trade,
  is_buy: false,
  type: 'BID',
  price: '1000000',
  volume: '0.001',
  base: '0.001',
  counter: '1000',
  fee_base: '0.000001',
  fee_counter: '0',
  timestamp: noonMs,
};

function entry(
  account_id: string,
  row_index: number,
  balance: string,
  balance_delta: string,
): TransactionEntry {
  const isTrade = row_index === 2;
  const trade_details = {
    pair: 'XBTZAR',
    price: '1000000',
    volume: '0.001',
    sequence: '7',
    is_buy: true,
  };
  return {
    row_index,
    timestamp: noonMs,
    account_id,
    currency: account_id === '11' ? 'XBT' : 'ZAR',
    balance,
    balance_delta,
    available: '1.4',
    available_delta: '0',
    description: 'a row',
    reference: '',
    kind: account_id === '11' && row_index === 1 ? 'TRANSFER' : 'EXCHANGE',
    ...(isTrade ? { detail_fields: { trade_details } } : {}),
  };
}

/** The ledger row of another participant in a trade. */
function foreignEntry(
  account: string,
  balance: string,
  delta: string,
  sequence: string,
): TransactionEntry {
  const row = entry(account, 2, balance, delta);
  const trade_details = { ...row.detail_fields?.trade_details, sequence };
  return { ...row, row_index: 3, detail_fields: { trade_details } } as TransactionEntry;
}

const ledgers = {
  '11': [entry('11', 1, '1', '1'), entry('11', 2, '1.000999', '0.000999')],
  '13': [entry('13', 1, '5000', '5000'), entry('13', 2, '4000', '-1000')],
};
const balances = { '11': '1.000999', '13': '4000.00' };

function compare(
  change: {
    readonly stored?: readonly StoreRecord[];
    readonly orders?: readonly OrderRecord[];
    readonly trades?: readonly UserTrade[];
    readonly foreignTrades?: readonly UserTrade[];
    readonly ledgers?: Readonly<Record<string, readonly TransactionEntry[]>>;
    readonly balances?: Readonly<Record<string, string>>;
  } = {},
) {
  const store = new MemoryStore();
  store.commit(change.stored ?? stored, 1);
  const exchange: ExchangeRecord = {
    orders: (change.orders ?? [orderAtExchange]).map(orderOfWire),
    trades: (change.trades ?? [tradeAtExchange]).map(tradeOfWire),
    foreignTrades: (change.foreignTrades ?? []).map(tradeOfWire),
    ledgers: new Map(
      Object.entries({ ...ledgers, ...change.ledgers }).map(([account, rows]) => [
        account,
        rows.map(movementOfWire),
      ]),
    ),
    balances: new Map(Object.entries({ ...balances, ...change.balances })),
  };
  return reconcile(exchange, { reports: store.reports, accounts, pairs });
}

const shortOf = ({ kind, subject, field, store, exchange }: Difference): string =>
  `${kind} ${subject} ${field} ${store}|${exchange}`;

describe('a comparison of store, exchange and ledger', () => {
  test('finds nothing if only trailing zeros differ', () => {
    expect(compare()).toMatchObject({
      differences: [],
      undecided: [],
      positionDifference: '0',
      balanceDifference: '0',
      ledgerRowsNotReadYet: 0,
    });
  });

  test.each([
    ['with others', '8', ['0|0.1', '0|-100']],
    ['with us', '7', ['0.000999|0.100999', '-1000|-1100']],
  ])('knows what others on the account traded %s', (_, sequence, told) => {
    const rows = [
      { account: '11', currency: 'XBT', balance: '1.100999', delta: '0.1' },
      { account: '13', currency: 'ZAR', balance: '3900', delta: '-100' },
    ];
    const foreign = { ...tradeAtExchange, order_id: 'BX5', client_order_id: 'other-1', sequence };
    const change = {
      stored: [
        ...stored,
        ...rows.map(({ account: accountId, currency, balance, delta: balanceDelta }) =>
          ledger(3, { accountId, currency, pair: 'XBTZAR', sequence, balance, balanceDelta }),
        ),
      ],
      ledgers: Object.fromEntries(
        rows.map(({ account, balance, delta }) => [
          account,
          [
            ...ledgers[account as keyof typeof ledgers],
            foreignEntry(account, balance, delta, sequence),
          ],
        ]),
      ),
      balances: { '11': '1.100999', '13': '3900' },
    };
    expect(compare({ ...change, foreignTrades: [foreign] })).toMatchObject({
      differences: [],
      balanceDifference: '0',
    });
    expect(compare(change).differences.map(shortOf)).toEqual([
      'balance XBT balance (in the store: sum of other flows and our fills) 1.000999|1.100999',
      'balance ZAR balance (in the store: sum of other flows and our fills) 4000|3900',
      `ledger trade XBTZAR ${sequence} XBT (store: sum of its fills; exchange: sum of its ledger rows) ${told[0]}`,
      `ledger trade XBTZAR ${sequence} ZAR (store: sum of its fills; exchange: sum of its ledger rows) ${told[1]}`,
    ]);
  });

  test.each([
    ['state', { status: 'PENDING', completed_timestamp: 0 }, 'cancelled|open'],
    ['orderId', { order_id: 'BX9' }, 'BX1|BX9'],
    ['side', { side: 'SELL' }, 'BID|ASK'],
    ['pair', { pair: 'ETHZAR' }, 'XBTZAR|ETHZAR'],
    ['timeInForce', { time_in_force: 'IOC' }, 'GTC|IOC'],
    ['price', { limit_price: '1000000.01' }, '1000000|1000000.01'],
    ['volume', { limit_volume: '0.01000001' }, '0.01000000|0.01000001'],
    ['base', { base: '0.00100001' }, '0.001|0.00100001'],
    ['counter', { counter: '1000.00000001' }, '1000|1000.00000001'],
    ['feeBase', { fee_base: '0.0000011' }, '0.000001|0.0000011'],
    ['feeCounter', { fee_counter: '0.1' }, '0|0.1'],
  ])('finds an order whose %s differs', (field, change, texts) => {
    const found = compare({ orders: [{ ...orderAtExchange, ...change }] });
    expect(found.differences.map(shortOf)).toEqual([`order test-1 ${field} ${texts}`]);
  });

  test('finds an order that only one side has, that is there twice, or that must not be there', () => {
    const other = { ...orderAtExchange, client_order_id: 'test-5', order_id: 'BX5' };
    const never = { ...orderAtExchange, client_order_id: 'test-2', order_id: 'BX2' };
    const subjects = (...orders: OrderRecord[]) =>
      compare({ orders }).differences.map(({ subject, field }) => `${subject} ${field}`);
    expect(subjects()).toEqual(['test-1 order']);
    expect(subjects(orderAtExchange, other)).toEqual(['test-5 order']);
    expect(subjects(orderAtExchange, { ...orderAtExchange, order_id: 'BX6' })).toEqual([
      'test-1 number of orders with this id',
      'test-1 orderId',
    ]);
    expect(subjects(orderAtExchange, never)).toContain('test-2 state');
  });

  test('reports an order of unknown outcome as undecided, not as a difference', () => {
    const found = compare({
      stored: [...stored, order(3, { state: 'unknown', orderId: undefined })],
    });
    expect(found).toMatchObject({ undecided: ['test-3'], differences: [] });
  });

  test('finds a fill that the store lost, by its trade, its order, its balance and the ledger', () => {
    const found = compare({ stored: stored.filter(({ kind }) => kind !== 'fill') });
    expect(found).toMatchObject({ positionDifference: '0.001', fills: 0, fillsAtExchange: 1 });
    expect(found.differences.map(shortOf)).toEqual([
      'order test-1 sum of base over its fills 0|0.001',
      'order test-1 sum of counter over its fills 0|1000',
      'order test-1 sum of feeBase over its fills 0|0.000001',
      'fill XBTZAR 7 BX1 fill null|BID 0.001 at 1000000 of test-1',
      'balance XBT balance (in the store: sum of other flows and our fills) 1|1.000999',
      'balance ZAR balance (in the store: sum of other flows and our fills) 5000|4000.00',
      'ledger trade XBTZAR 7 XBT (store: sum of its fills; exchange: sum of its ledger rows) 0|0.000999',
      'ledger trade XBTZAR 7 ZAR (store: sum of its fills; exchange: sum of its ledger rows) 0|-1000',
    ]);
  });

  test('finds a fill that the exchange does not have', () => {
    const found = compare({ trades: [] });
    expect(found.differences.map(shortOf)).toEqual([
      'fill XBTZAR 7 BX1 fill BID 0.00100000 at 1000000|null',
    ]);
  });

  test.each([
    ['side', { type: 'ASK' }],
    ['price', { price: '1000000.01' }],
    ['volume', { volume: '0.00100000000001' }],
    ['base', { base: '0.00100000000001' }],
    ['counter', { counter: '999.99999999999999' }],
    ['feeBase', { fee_base: '0' }],
    ['feeCounter', { fee_counter: '0.00000000000001' }],
    ['timestamp', { timestamp: noonMs + 1 }],
  ])('finds a fill whose %s differs, however little', (field, change) => {
    const found = compare({ trades: [{ ...tradeAtExchange, ...change }] });
    expect(found.differences.map((one) => `${one.kind} ${one.field}`)).toEqual([`fill ${field}`]);
  });

  test('finds a ledger row that is missing, differs, or is only in the store', () => {
    const first = ledgers['11'][0] as TransactionEntry;
    const second = ledgers['11'][1] as TransactionEntry;
    const fieldsOf = (rows: readonly TransactionEntry[]) =>
      compare({ ledgers: { '11': rows } }).differences.map(
        ({ subject, field }) => `${subject} ${field}`,
      );
    expect(fieldsOf([first])).toEqual(['XBT account 11 row 2 row']);
    expect(fieldsOf([first, { ...second, balance: '1.0009990000001' }])).toEqual([
      'XBT account 11 row 2 balance',
    ]);
    const { detail_fields: _, ...plain } = second;
    expect(fieldsOf([first, plain])).toEqual(['XBT account 11 row 2 trade']);
    const moved = { ...entry('11', 3, '2.000999', '1') };
    expect(fieldsOf([first, second, moved])).toEqual(['XBT account 11 row 3 row']);
  });

  test('a newer row that changes no balance counts as not read yet, not as a difference', () => {
    const rows = [...ledgers['11'], entry('11', 3, '1.000999', '0.00')];
    expect(compare({ ledgers: { '11': rows } })).toMatchObject({
      ledgerRowsNotReadYet: 1,
      differences: [],
    });
  });

  test('finds a balance that no flow explains', () => {
    const found = compare({ balances: { '13': '4000.00000000000001' } });
    expect(found).toMatchObject({ balanceDifference: '0.00000000000001' });
    expect(found.differences.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      'balance ZAR',
    ]);
  });
});
