/** The last check of every order before it is sent, by what is committed: an adapter makes it. */
import type { OrderRow, StoreRecord } from '../domain/records.ts';

export type OrderGuard = {
  /** Notes the unfinished orders of an earlier run; their approvals are in the store. */
  noteRestored(rows: readonly OrderRow[]): void;
  /**
   * Notes the committed records of a batch. Must be called before the batch's requests are sent.
   */
  noteCommitted(records: readonly StoreRecord[]): void;
  /** Returns why `request` must not be sent, or undefined. An order that may be sent is counted. */
  inspect(request: LeavingRequest): string | undefined;
};

/** A finished request; its path is relative to the base address. */
export type LeavingRequest = {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
};
