/**
 * Writes the records of a batch with prepared statements. The caller holds the transaction.
 *
 * Values are given one by one: better-sqlite3 reads arguments faster than the elements of a list.
 *
 * Invariants: writing a row again changes nothing if it is equal and is an error if it differs;
 * only orders, witnesses, mids around fills and the states of strategies and risk checks change.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { StoreRecord, Witness } from '../domain/records.ts';
import { createOrderWriter } from './order-writer.ts';
import type { RowCodec } from './row-codec.ts';
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
  outcomeCodec,
  riskStateCodec,
  strategyStateCodec,
  tradingStateCodec,
  witnessCodec,
} from './row-codecs.ts';
import { createRowsInserter, insert, upsert } from './row-statements.ts';

type Evidence = Extract<StoreRecord, { readonly kind: 'evidence' }>;

const witnessColumns = {
  'user-stream': 'user_stream',
  'market-stream': 'market_stream',
  'list-of-trades': 'list_of_trades',
  ledger: 'ledger',
} as const satisfies Record<Witness, string>;

/**
 * Returns a function that writes records into `database` and throws the errors of SQLite. It writes
 * them in their order, except that all evidence comes last: each order has several rows of it,
 * which are written together.
 */
export function createRecordWriter(database: Database): (records: readonly StoreRecord[]) => void {
  const writeOrder = createOrderWriter(database);
  const insertEvidence = createRowsInserter(database, 'evidence', evidenceCodec);
  const statements = prepareStatements(database);
  return function writeAll(records) {
    const evidence: Evidence[] = [];
    for (const record of records)
      if (record.kind === 'evidence') evidence.push(record);
      else if (record.kind === 'order') writeOrder(record.row);
      else write(statements, record);
    insertEvidence(evidence);
  };
}

type RecordStatements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: Database) {
  const prepare = (sql: string): Statement => database.prepare(sql);
  return {
    strategyState: prepare(upsert('strategy_states', strategyStateCodec, 'strategy_id')),
    fill: prepare(once('fills', fillCodec, 'pair, sequence, order_id')),
    ledgerRow: prepare(once('ledger', ledgerCodec, 'account_id, row_index')),
    decision: prepare(insert('decisions', decisionCodec)),
    attempt: prepare(insert('attempts', attemptCodec)),
    outcome: prepare(insert('outcomes', outcomeCodec)),
    incident: prepare(insert('incidents', incidentCodec)),
    riskState: prepare(upsert('risk_states', riskStateCodec, 'name')),
    approval: prepare(insert('approvals', approvalCodec)),
    limits: prepare(`${insert('limits_versions', limitsCodec)} ON CONFLICT (hash) DO NOTHING`),
    tradingState: prepare(insert('trading_states', tradingStateCodec)),
    // Twice the same time only after a clock was set back; then the first one is as good.
    marketSample: prepare(`${insert('market_samples', marketSampleCodec)} ON CONFLICT DO NOTHING`),
    fillMids: prepare(upsert('fill_mids', fillMidsCodec, 'pair, sequence, order_id')),
    operatorCommand: prepare(insert('operator_commands', operatorCommandCodec)),
    idle: prepare(`
      INSERT INTO idle_reasons (${idleCodec.columns}) SELECT ${idleCodec.places}
      WHERE ? IS NOT (SELECT reason FROM idle_reasons WHERE strategy_id = ? AND pair = ?
                       ORDER BY id DESC LIMIT 1)`),
    witnesses: Object.fromEntries(
      Object.entries(witnessColumns).map(([witness, column]) => [
        witness,
        prepare(`
          INSERT INTO witnesses (pair, sequence, order_id, ${column}) VALUES (?, ?, ?, 1)
          ON CONFLICT DO UPDATE SET ${column} = 1 WHERE ${column} = 0`),
      ]),
    ) as Record<Witness, Statement>,
  };
}

function write(
  statements: RecordStatements,
  record: Exclude<StoreRecord, { readonly kind: 'evidence' | 'order' }>,
): void {
  switch (record.kind) {
    case 'decision':
      statements.decision.run(...decisionCodec.encode(record));
      break;
    case 'attempt':
      statements.attempt.run(...attemptCodec.encode(record));
      break;
    case 'outcome':
      statements.outcome.run(...outcomeCodec.encode(record));
      break;
    case 'fill':
      statements.fill.run(...fillCodec.encode(record.row));
      break;
    case 'witness':
      witnessCodec.check(record);
      statements.witnesses[record.witness].run(record.pair, record.sequence, record.orderId);
      break;
    case 'ledger-row':
      statements.ledgerRow.run(...ledgerCodec.encode(record.row));
      break;
    case 'incident':
      statements.incident.run(...incidentCodec.encode(record.incident));
      break;
    case 'idle':
      statements.idle.run(
        ...idleCodec.encode(record),
        record.reason,
        record.strategyId,
        record.pair,
      );
      break;
    case 'strategy-state':
      statements.strategyState.run(...strategyStateCodec.encode(record));
      break;
    case 'risk-state':
      statements.riskState.run(...riskStateCodec.encode(record));
      break;
    case 'limits':
      statements.limits.run(...limitsCodec.encode(record));
      break;
    case 'approval':
      statements.approval.run(...approvalCodec.encode(record));
      break;
    case 'trading-state':
      statements.tradingState.run(...tradingStateCodec.encode(record));
      break;
    case 'market-sample':
      statements.marketSample.run(...marketSampleCodec.encode(record));
      break;
    case 'fill-mids':
      statements.fillMids.run(...fillMidsCodec.encode(record.row));
      break;
    case 'operator-command':
      statements.operatorCommand.run(...operatorCommandCodec.encode(record));
      break;
  }
}

/** An equal row changes nothing; a different row with the same key is refused by the trigger. */
function once<Row>(table: string, codec: RowCodec<Row>, key: string): string {
  const stored = codec.names.map((column) => `${table}."${column}"`).join(', ');
  const given = codec.names.map((column) => `excluded."${column}"`).join(', ');
  const first = codec.names[0];
  return `${insert(table, codec)} ON CONFLICT (${key})
    DO UPDATE SET "${first}" = excluded."${first}" WHERE (${stored}) IS NOT (${given})`;
}
