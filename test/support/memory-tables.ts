/** The memory store's tables: maps and lists in the order of writing. */
import type {
  FillMids,
  FillRow,
  Incident,
  LedgerRow,
  OrderRow,
  Witness,
} from '../../src/domain/records.ts';
import type { RecordOf } from '../../src/store/row-codecs.ts';

/** Everything that was committed. Maps keep the order of first writing. */
export type MemoryTables = {
  readonly orders: Map<number, OrderRow>;
  readonly fills: Map<string, FillRow>;
  readonly witnesses: Map<string, ReadonlySet<Witness>>;
  readonly ledger: Map<string, LedgerRow>;
  readonly attempts: Map<string, RecordOf<'attempt'>>;
  readonly decisions: RecordOf<'decision'>[];
  readonly evidence: RecordOf<'evidence'>[];
  readonly outcomes: RecordOf<'outcome'>[];
  readonly incidents: Incident[];
  readonly idleReasons: RecordOf<'idle'>[];
  readonly latestIdle: Map<string, RecordOf<'idle'>>;
  readonly strategyStates: Map<string, string>;
  readonly tradingStates: RecordOf<'trading-state'>[];
  readonly riskStates: Map<string, string>;
  readonly limitsVersions: Map<string, RecordOf<'limits'>>;
  readonly approvals: RecordOf<'approval'>[];
  readonly marketSamples: RecordOf<'market-sample'>[];
  readonly fillMids: Map<string, FillMids>;
  readonly operatorCommands: RecordOf<'operator-command'>[];
};

/** Returns the key of a fill or a witness as one text. */
export function tradeKeyOf(trade: {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
}): string {
  return `${trade.pair}\0${trade.sequence}\0${trade.orderId}`;
}

export function createMemoryTables(): MemoryTables {
  return {
    orders: new Map(),
    fills: new Map(),
    witnesses: new Map(),
    ledger: new Map(),
    attempts: new Map(),
    decisions: [],
    evidence: [],
    outcomes: [],
    incidents: [],
    idleReasons: [],
    latestIdle: new Map(),
    strategyStates: new Map(),
    tradingStates: [],
    riskStates: new Map(),
    limitsVersions: new Map(),
    approvals: [],
    marketSamples: [],
    fillMids: new Map(),
    operatorCommands: [],
  };
}
