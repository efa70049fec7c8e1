/** Checks the fields of a record as the codecs of the database do, for the store in memory. */
import type { StoreRecord } from '../../src/domain/records.ts';
import {
  approvalCodec,
  attemptCodec,
  decisionCodec,
  evidenceCodec,
  fillCodec,
  fillMidsCodec,
  idleCodec,
  incidentCodec,
  ledgerCodec,
  limitsCodec,
  marketSampleCodec,
  operatorCommandCodec,
  orderCodec,
  outcomeCodec,
  riskStateCodec,
  strategyStateCodec,
  tradingStateCodec,
  witnessCodec,
} from '../../src/store/row-codecs.ts';

/**
 * Throws RangeError that names the field if a field of `record` has a value that is not allowed.
 */
export function checkRecord(record: StoreRecord): void {
  switch (record.kind) {
    case 'order':
      orderCodec.check(record.row);
      break;
    case 'fill':
      fillCodec.check(record.row);
      break;
    case 'ledger-row':
      ledgerCodec.check(record.row);
      break;
    case 'incident':
      incidentCodec.check(record.incident);
      break;
    case 'evidence':
      evidenceCodec.check(record);
      break;
    case 'decision':
      decisionCodec.check(record);
      break;
    case 'attempt':
      attemptCodec.check(record);
      break;
    case 'outcome':
      outcomeCodec.check(record);
      break;
    case 'witness':
      witnessCodec.check(record);
      break;
    case 'idle':
      idleCodec.check(record);
      break;
    case 'strategy-state':
      strategyStateCodec.check(record);
      break;
    case 'risk-state':
      riskStateCodec.check(record);
      break;
    case 'limits':
      limitsCodec.check(record);
      break;
    case 'approval':
      approvalCodec.check(record);
      break;
    case 'trading-state':
      tradingStateCodec.check(record);
      break;
    case 'market-sample':
      marketSampleCodec.check(record);
      break;
    case 'fill-mids':
      fillMidsCodec.check(record.row);
      break;
    case 'operator-command':
      operatorCommandCodec.check(record);
      break;
  }
}
