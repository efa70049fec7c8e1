/** Faults built into the code that finds lost state, on the prototypes of the real code. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import SqliteDatabase from 'better-sqlite3';
import { EngineContext } from '../../../src/engine/engine-context.ts';
import { Resumptions } from '../../../src/risk/resumed.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';

/** Builds a fault in; returns how to take it out. */
type Install = () => () => void;

/** Plays with the fault that `plants` has under the name, if one is named. */
export async function withPlant(
  plants: Readonly<Record<string, Install>>,
  name: string | undefined,
  play: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const remove = name === undefined ? undefined : plants[name]?.();
  try {
    return await play();
  } finally {
    remove?.();
  }
}

/** Orders and fills that the database does not know halt nothing, at the start or later. */
export const forgetHalt: Install = () => {
  const { setTradingState } = EngineContext.prototype;
  EngineContext.prototype.setTradingState = function (this: EngineContext, ...entered) {
    if (!/does not know|not in our store/u.test(entered[2])) setTradingState.apply(this, entered);
  };
  return () => {
    EngineContext.prototype.setTradingState = setTradingState;
  };
};

/** What is taken over is not written. */
export const takeNothing: Install = () => {
  const { complete } = SqliteStore.prototype;
  SqliteStore.prototype.complete = () => {};
  return () => {
    SqliteStore.prototype.complete = complete;
  };
};

/** An order whose number is known is known, whatever its id. */
export const knowByNumber: Install = () => {
  const { prepare } = SqliteDatabase.prototype;
  const byId = 'WHERE client_order_id = ?';
  SqliteDatabase.prototype.prepare = function (this: SqliteDatabase.Database, sql: string) {
    if (!sql.includes(byId)) return prepare.call(this, sql);
    const found = prepare.call(this, sql.replace(byId, 'WHERE intent_id = ?'));
    const numberOf = (id: string): number => Number.parseInt(id.split('-')[2] ?? '', 36);
    return { all: (id: string) => found.all(numberOf(id)) };
  } as typeof prepare;
  return () => {
    SqliteDatabase.prototype.prepare = prepare;
  };
};

/** A file of no bytes counts as a database that is not there. */
export const ignoreEmptyFile: Install = () => {
  const { statSync } = fs;
  const isEmpty = (found: unknown): boolean => (found as fs.Stats | undefined)?.size === 0;
  const without = (path: fs.PathLike, options: fs.StatSyncOptions) => {
    const found = statSync(path, options);
    return String(path).endsWith('.sqlite') && isEmpty(found) ? undefined : found;
  };
  Object.assign(fs, { statSync: without });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { statSync });
    syncBuiltinESMExports();
  };
};

/** The crash-loop guard counts what was before a person resumed. */
export const forgetResume: Install = () => {
  const kept = Object.getOwnPropertyDescriptor(Resumptions.prototype, 'ofAllMs');
  Object.defineProperty(Resumptions.prototype, 'ofAllMs', {
    configurable: true,
    get: () => Number.NEGATIVE_INFINITY,
  });
  return () => {
    if (kept !== undefined) Object.defineProperty(Resumptions.prototype, 'ofAllMs', kept);
  };
};

/** Whoever resumes a strategy hears that it may trade, whatever else is halted. */
export const ignoreOtherScopes: Install = () => {
  const { tradingStateOf } = EngineContext.prototype;
  EngineContext.prototype.tradingStateOf = () => 'ACTIVE';
  return () => {
    EngineContext.prototype.tradingStateOf = tradingStateOf;
  };
};
