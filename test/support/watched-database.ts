/**
 * A database whose every call is told before it is made, so that a test can fail it, photograph the
 * files as a kill would leave them, or count.
 *
 * Statements behave as better-sqlite3's own: only what goes to SQLite is told. A transaction tells
 * its BEGIN, its COMMIT and its ROLLBACK as calls of their own.
 */
import type { Database, Statement } from 'better-sqlite3';

/**
 * Told before each call with its text; what it throws, the call throws instead of being made. It
 * may make the call itself by `make`, and throw all the same.
 */
export type OnDatabaseCall = (text: string, make: () => void) => void;

type Work = (...values: unknown[]) => unknown;

const running = ['run', 'get', 'all'];
const chained = ['pluck', 'raw', 'expand', 'safeIntegers', 'bind'];

/** Returns `database` with every call told to `onCall` first. */
export function watchDatabase(database: Database, onCall: OnDatabaseCall): Database {
  const call = (text: string): void => {
    const make = (): void => void database.exec(text);
    onCall(text, make);
    make();
  };
  const own: Readonly<Record<string, unknown>> = {
    exec(text: string) {
      call(text);
      return watched;
    },
    pragma(text: string, options?: { simple?: boolean }) {
      onCall(`PRAGMA ${text}`, () => {});
      return database.pragma(text, options);
    },
    prepare: (text: string) => watchStatement(database.prepare(text), text, onCall),
    transaction: (work: Work) => transactionOf(database, work, call),
  };
  const watched: Database = new Proxy(database, {
    get: (_target, name) => own[String(name)] ?? memberOf(database, name),
  });
  return watched;
}

function watchStatement(statement: Statement, text: string, onCall: OnDatabaseCall): Statement {
  const watched: Statement = new Proxy(statement, {
    get(_target, name) {
      const member = memberOf(statement, name);
      if (typeof member !== 'function') return member;
      const work = member as Work;
      if (running.includes(String(name)))
        return (...values: unknown[]) => {
          onCall(text, () => void work(...values));
          return work(...values);
        };
      if (!chained.includes(String(name))) return work;
      return (...values: unknown[]) => {
        work(...values);
        return watched;
      };
    },
  });
  return watched;
}

function transactionOf(database: Database, work: Work, call: (text: string) => void): unknown {
  const run =
    (begin: string): Work =>
    (...values) => {
      call(begin);
      try {
        const result = work(...values);
        call('COMMIT');
        return result;
      } catch (error) {
        if (database.inTransaction) call('ROLLBACK');
        throw error;
      }
    };
  return Object.assign(run('BEGIN'), { immediate: run('BEGIN IMMEDIATE') });
}

/** A member of a native object works only on the object itself, not on what wraps it. */
function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target);
  return typeof member === 'function' ? member.bind(target) : member;
}
