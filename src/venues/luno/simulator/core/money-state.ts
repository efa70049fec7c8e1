/**
 * Money other than orders, accounts and ledger rows: moves, conversions, bank accounts, addresses,
 * sends, withdrawals and unconfirmed deposits. Plain data, like all state.
 */

import type { Amount } from '../../../../domain/amount.ts';
import type { WithdrawalMethod } from '../../api/currencies.ts';
import type { ResponseOf } from '../../api/operation.ts';
import type { BeneficiaryRecord } from '../../api/operations/beneficiary-operations.ts';
import type { Operations } from '../../api/operations.ts';

export type Move = {
  readonly id: string;
  readonly userId: string;
  readonly clientMoveId: string;
  readonly amount: Amount;
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly createdMs: number;
  updatedMs: number;
  /** While MOVING the amount is reserved in the debit account. */
  status: 'CREATED' | 'MOVING' | 'SUCCESSFUL' | 'FAILED';
};

export type Conversion = {
  /** The request as text. An idempotency key may be repeated only with the same request. */
  readonly request: string;
  /** Undefined if the conversion failed. Its key cannot be used again. */
  readonly answer: ResponseOf<Operations['convert']> | undefined;
};

export type ReceiveAddress = {
  readonly userId: string;
  readonly accountId: string;
  readonly address: string;
  readonly meta: readonly { readonly label: string; readonly value: string }[];
  readonly asset: string;
  readonly network: number;
  readonly name: string;
  readonly assignedMs: number;
  /** Confirmed amounts only. */
  totalReceived: Amount;
};

/** A crypto deposit that is not confirmed yet. */
export type Arrival = {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly amount: Amount;
  readonly txid: string;
  readonly createdMs: number;
  confirmations: number;
  /** Held until the originator is named, see address-validation.ts. */
  isQuarantined: boolean;
};

export type Send = {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly address: string;
  readonly description: string;
  readonly createdMs: number;
  updatedMs: number;
  /** Amount and fee are reserved until COMPLETED. INVITED: sent to an e-mail address of no user. */
  status: 'PENDING' | 'INVITED' | 'COMPLETED';
};

export type Withdrawal = {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly beneficiaryId: string;
  readonly type: WithdrawalMethod;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly externalId: string;
  readonly isFast: boolean;
  readonly createdMs: number;
  /** Amount and fee are reserved while PENDING or PROCESSING. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'CANCELLED';
  transferId: string;
};

export type Transfer = {
  readonly id: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly createdMs: number;
  readonly isInbound: boolean;
  readonly transactionId: string;
};

export type LinkedUser = {
  readonly userId: string;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly linkedMs: number;
};

export type Grant = {
  readonly clientUserId: string;
  readonly keyId: string;
  readonly secret: string;
  readonly userId: string;
  readonly permissions: number;
};

/** The money state of one user. Lists are in order of creation. */
export type UserMoney = {
  readonly moveIds: string[];
  readonly moveIdByClientMoveId: Map<string, string>;
  readonly conversions: Map<string, Conversion>;
  readonly beneficiaries: Map<string, BeneficiaryRecord>;
  readonly addresses: ReceiveAddress[];
  /** When the next address would be due if each were created at the allowed rate. */
  addressDueMs: number;
  /** Validated targets of sends: name by address. */
  readonly addressBook: Map<string, string>;
  readonly pendingSendIds: Set<string>;
  readonly withdrawalIds: string[];
  readonly activeWithdrawalIds: Set<string>;
  /** Of sends and withdrawals. */
  readonly externalIds: Set<string>;
  readonly linkedUsers: LinkedUser[];
};

export type MoneyState = {
  readonly users: Map<string, UserMoney>;
  readonly moves: Map<string, Move>;
  readonly addresses: Map<string, ReceiveAddress>;
  readonly arrivals: Map<string, Arrival>;
  readonly sends: Map<string, Send>;
  readonly withdrawals: Map<string, Withdrawal>;
  /** By account, in order of creation. */
  readonly transfers: Map<string, Transfer[]>;
  /** User id by e-mail address in lower case. */
  readonly userIdByEmail: Map<string, string>;
  /** By code. */
  readonly grants: Map<string, Grant>;
};

export function createMoneyState(): MoneyState {
  return {
    users: new Map(),
    moves: new Map(),
    addresses: new Map(),
    arrivals: new Map(),
    sends: new Map(),
    withdrawals: new Map(),
    transfers: new Map(),
    userIdByEmail: new Map(),
    grants: new Map(),
  };
}

/** Returns the money state of a user for reading; empty, and not stored, if there is none yet. */
export function moneyOf(state: MoneyState, userId: string): Readonly<UserMoney> {
  return state.users.get(userId) ?? createUserMoney();
}

/** Returns the money state of a user for changes. Creates it if there is none yet. */
export function mutableMoneyOf(state: MoneyState, userId: string): UserMoney {
  let money = state.users.get(userId);
  if (money === undefined) {
    money = createUserMoney();
    state.users.set(userId, money);
  }
  return money;
}

function createUserMoney(): UserMoney {
  return {
    moveIds: [],
    withdrawalIds: [],
    linkedUsers: [],
    addresses: [],
    moveIdByClientMoveId: new Map(),
    conversions: new Map(),
    beneficiaries: new Map(),
    addressDueMs: 0,
    addressBook: new Map(),
    pendingSendIds: new Set(),
    activeWithdrawalIds: new Set(),
    externalIds: new Set(),
  };
}
