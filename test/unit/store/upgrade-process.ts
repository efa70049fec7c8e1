/**
 * A separate process for the tests of upgrades: upgrades the database given by its first argument
 * from version 1. With a second argument it kills itself in the middle of the step of that version.
 */
import SqliteDatabase from 'better-sqlite3';
import { migrate } from '../../../src/store/migrate.ts';
import { version1 } from '../../../src/store/migrations/version-1.ts';
import { laterSteps } from './migration-samples.ts';

const [path = '', killIn] = process.argv.slice(2);

const database = new SqliteDatabase(path);
database.function('kill_now', () => {
  process.kill(process.pid, 'SIGKILL');
  return 0;
});
const steps = laterSteps.map((step) => ({
  ...step,
  statements: `${step.statements}${`${step.version}` === killIn ? '; SELECT kill_now();' : ''}`,
}));
migrate(database, path, [version1, ...steps]);
database.close();
