/** The rows of every table, field by field. The compiler refuses a field that is missing here. */

import { orderTransitions } from '../domain/order.ts';
import type {
  FillMids,
  FillRow,
  Incident,
  LedgerRow,
  OrderRow,
  StoreRecord,
} from '../domain/records.ts';
import { createRowCodec } from './row-codec.ts';

/** The fields of a record of one kind that are not nested in a row of its own. */
export type RecordOf<Kind extends StoreRecord['kind']> = Extract<StoreRecord, { kind: Kind }>;
type Fields<Kind extends StoreRecord['kind']> = Omit<RecordOf<Kind>, 'kind'>;

const sides = ['BID', 'ASK'];
const states = Object.keys(orderTransitions);

export const orderCodec = createRowCodec<OrderRow>('order', {
  intentId: 'integer',
  strategyId: 'text',
  key: 'text',
  level: 'text?',
  tag: 'text?',
  pair: 'text',
  side: sides,
  price: 'amount',
  volume: 'amount',
  timeInForce: ['GTC', 'IOC', 'FOK'],
  postOnly: 'boolean',
  stopDirection: 'text?',
  stopPrice: 'amount?',
  pays: 'amount?',
  baseAccountId: 'text',
  counterAccountId: 'text',
  clientOrderId: 'text',
  reason: 'text',
  createdMs: 'integer',
  validUntilMs: 'integer',
  expiresMs: 'integer?',
  state: states,
  orderId: 'text?',
  attempts: 'integer',
  lastTimestampMs: 'integer?',
  lastTtlMs: 'integer?',
  ambiguous: 'boolean',
  cancelRequestedMs: 'integer?',
  base: 'amount',
  counter: 'amount',
  feeBase: 'amount',
  feeCounter: 'amount',
  completedMs: 'integer?',
});

export const fillCodec = createRowCodec<FillRow>('fill', {
  pair: 'text',
  sequence: 'sequence',
  orderId: 'text',
  intentId: 'integer',
  strategyId: 'text',
  side: sides,
  price: 'amount',
  volume: 'amount',
  base: 'amount',
  counter: 'amount',
  feeBase: 'amount',
  feeCounter: 'amount',
  tradedMs: 'integer',
  maker: 'boolean',
});

export const ledgerCodec = createRowCodec<LedgerRow>('ledger row', {
  accountId: 'text',
  rowIndex: 'integer',
  currency: 'text',
  kind: 'text',
  balance: 'amount',
  balanceDelta: 'amount',
  available: 'amount',
  availableDelta: 'amount',
  pair: 'text?',
  sequence: 'sequence?',
  description: 'text',
  timestampMs: 'integer',
});

export const evidenceCodec = createRowCodec<Fields<'evidence'>>('evidence', {
  intentId: 'integer',
  atMs: 'integer',
  state: states,
  proof: 'text',
});

export const decisionCodec = createRowCodec<Fields<'decision'>>('decision', {
  atMs: 'integer',
  strategyId: 'text',
  pair: 'text',
  key: 'text',
  intentId: 'integer?',
  verdict: ['approved', 'refused'],
  refusals: 'json',
  inputs: 'json',
  limitsHash: 'text',
});

export const attemptCodec = createRowCodec<Fields<'attempt'>>('attempt', {
  intentId: 'integer',
  number: 'integer',
  atMs: 'integer',
  timestampMs: 'integer',
  ttlMs: 'integer',
});

export const outcomeCodec = createRowCodec<Fields<'outcome'>>('outcome', {
  intentId: 'integer',
  number: 'integer',
  atMs: 'integer',
  outcome: 'text',
  detail: 'text',
});

export const witnessCodec = createRowCodec<Fields<'witness'>>('witness', {
  pair: 'text',
  sequence: 'sequence',
  orderId: 'text',
  witness: ['user-stream', 'market-stream', 'list-of-trades', 'ledger'],
});

export const incidentCodec = createRowCodec<Incident>('incident', {
  atMs: 'integer',
  code: 'text',
  text: 'text',
});

export const idleCodec = createRowCodec<Fields<'idle'>>('idle', {
  atMs: 'integer',
  strategyId: 'text',
  pair: 'text',
  reason: 'text',
});

export const strategyStateCodec = createRowCodec<Fields<'strategy-state'>>('strategy state', {
  strategyId: 'text',
  state: 'text',
});

export const riskStateCodec = createRowCodec<Fields<'risk-state'>>('risk state', {
  name: 'text',
  state: 'json',
});

export const limitsCodec = createRowCodec<Fields<'limits'>>('limits', {
  atMs: 'integer',
  hash: 'text',
  limits: 'json',
});

export const approvalCodec = createRowCodec<Fields<'approval'>>('approval', {
  atMs: 'integer',
  token: 'text',
  event: ['given', 'used'],
  expiresMs: 'integer',
  reason: 'text',
});

export const tradingStateCodec = createRowCodec<Fields<'trading-state'>>('trading state', {
  atMs: 'integer',
  scope: 'text',
  state: ['ACTIVE', 'REDUCING', 'HALTED'],
  reason: 'text',
});

export const marketSampleCodec = createRowCodec<Fields<'market-sample'>>('market sample', {
  atMs: 'integer',
  pair: 'text',
  bid: 'amount',
  ask: 'amount',
});

export const fillMidsCodec = createRowCodec<FillMids>('mids of a fill', {
  pair: 'text',
  sequence: 'sequence',
  orderId: 'text',
  strategyId: 'text',
  mid: 'amount?',
  spread: 'amount?',
  mid1s: 'amount?',
  mid10s: 'amount?',
  mid60s: 'amount?',
  mid300s: 'amount?',
});

export const operatorCommandCodec = createRowCodec<Fields<'operator-command'>>('operator command', {
  atMs: 'integer',
  askedBy: 'text',
  command: 'text',
  scope: 'text?',
  reason: 'text',
  outcome: ['done', 'refused', 'unfinished'],
  text: 'text',
});
