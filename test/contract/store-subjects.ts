/**
 * The stores under the contract: the durable store, reopened between writing and reading, and the
 * store in memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Store, StoreRecord } from '../../src/domain/records.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { openOptions } from '../unit/store/store-samples.ts';

export type AnyStore = Store & { readonly reports: StoreReports };
export type Subject = { create(): AnyStore; reopen(store: AnyStore): AnyStore };

let directory: string;
let toClose: AnyStore[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  toClose = [];
});

afterEach(() => {
  for (const store of toClose) store.close();
  rmSync(directory, { recursive: true, force: true });
});

let fileNumber = 0;
export const subjects = {
  'SQLite store': {
    create: () => keep(openSqliteStore(join(directory, `${++fileNumber}.sqlite`), openOptions)),
    reopen(store) {
      store.close();
      return keep(openSqliteStore((store as ReturnType<typeof openSqliteStore>).path, openOptions));
    },
  },
  'memory store': { create: () => keep(new MemoryStore()), reopen: (store) => store },
} as const satisfies Record<string, Subject>;

function keep(store: AnyStore): AnyStore {
  toClose.push(store);
  return store;
}

/** Commits each batch, and returns the store as the next process would open it. */
export function storeWith(subject: Subject, ...batches: StoreRecord[][]): AnyStore {
  const store = subject.create();
  for (const [index, batch] of batches.entries()) store.commit(batch, index + 1);
  return subject.reopen(store);
}
