/**
 * A ledger row as the transactions operation answers it, for a reader in the same process: its
 * texts are made when they are read, and its figures are there as integers. As JSON it is the same
 * as the answer of an exchange.
 */

import type { LedgerAccount, LedgerRow } from '../../exchange-accounts/ledger.ts';
import { ledgerFigures } from '../../venues/luno/api/ledger-figures.ts';
import type { TransactionEntry } from '../../venues/luno/api/operations/account-operations.ts';
import {
  descriptionOf,
  detailFieldsOf,
  type RowTexts,
  transactionEntryOf,
} from '../../venues/luno/simulator/core/ledger-records.ts';

export class LazyLedgerEntry implements TransactionEntry {
  readonly account_id: string;
  readonly currency: string;
  readonly row_index: number;
  readonly timestamp: number;
  readonly kind: LedgerRow['kind'];
  readonly [ledgerFigures]: LedgerRow;
  readonly #account: LedgerAccount;
  readonly #texts: RowTexts;

  constructor(account: LedgerAccount, row: LedgerRow, texts: RowTexts) {
    this.account_id = account.id;
    this.currency = account.currency;
    this.row_index = row.rowIndex;
    this.timestamp = row.timeMs;
    this.kind = row.kind;
    this[ledgerFigures] = row;
    this.#account = account;
    this.#texts = texts;
  }

  get balance(): string {
    return this.#texts.format(this[ledgerFigures].balance);
  }

  get balance_delta(): string {
    return this.#texts.format(this[ledgerFigures].balanceDelta);
  }

  get available(): string {
    return this.#texts.format(this[ledgerFigures].available);
  }

  get available_delta(): string {
    return this.#texts.format(this[ledgerFigures].availableDelta);
  }

  get description(): string {
    return descriptionOf(this[ledgerFigures], this.#texts.marketOf);
  }

  get reference(): string {
    return this[ledgerFigures].reference;
  }

  get details(): Record<string, string> {
    return {};
  }

  get detail_fields(): TransactionEntry['detail_fields'] {
    return detailFieldsOf(this[ledgerFigures], this.#texts.marketOf);
  }

  toJSON(): TransactionEntry {
    return transactionEntryOf(this.#account, this[ledgerFigures], this.#texts);
  }
}
