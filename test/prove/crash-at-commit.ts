/**
 * Lets a bot die, as by `kill -9`, at the sharpest moment there is: an order has just been
 * committed and nothing of it has left. Nobody can meet it from outside.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

/** A file in the bot's home that says a state: the next commit of an order in it is the last. */
export const dyingMark = 'die-at-commit';

/** Still to be sent, or about to leave. */
export type CommittedState = 'waiting' | 'sending';

/** Makes the bot of this process look for the mark. */
export function dieAtMarkedCommit(home: string): void {
  const mark = join(home, dyingMark);
  const commit = SqliteStore.prototype.commit;
  SqliteStore.prototype.commit = function (this: SqliteStore, records, commitNumber): void {
    commit.call(this, records, commitNumber);
    const rows = records.flatMap((record) => (record.kind === 'order' ? [record.row] : []));
    if (rows.length === 0 || !existsSync(mark)) return;
    const deadly = readFileSync(mark, 'utf8');
    // Of an order that the commit stores more than once the last row counts.
    const states = new Map(rows.map((row) => [row.intentId, row.state as string]));
    if ([...states.values()].includes(deadly)) process.kill(process.pid, 'SIGKILL');
  };
}
