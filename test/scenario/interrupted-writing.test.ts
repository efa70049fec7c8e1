/**
 * A signal while a recording or a table is written: it ends the process, and nothing is left.
 *
 * Method: a process of its own sends itself the signal with the first row that it writes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCapture } from '../support/capture-file.ts';
import { writeItems } from '../support/compiled-flow.ts';
import { randomFlow } from '../support/recorded-set.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const source = join(import.meta.dirname, '../../src');
const folder = mkdtempSync(join(tmpdir(), 'millrace-interrupted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [recording, table, capture] = ['day.mrec', 'trades.csv', 'day.cap'].map((name) =>
  join(folder, name),
) as [string, string, string];
beforeAll(() => {
  writeItems(recording, randomFlow(new SeededRandom(1), 300));
  writeFileSync(table, 'price,volume,side,time_us\n10,1,buy,1675733400000000\n');
  writeCapture(capture, 1_675_733_400_000, 2);
});

/** Runs a verb that does `then` with its first row; returns how it ended. */
function writeUntil(then: string, verb: readonly string[]) {
  const script = `
    import { Recording } from '${source}/recording/file/recording.ts';
    import { RecordingWriter } from '${source}/recording/file/recording-writer.ts';
    for (const [type, name] of [[Recording, 'block'], [RecordingWriter, 'add']]) {
      const { [name]: work } = type.prototype;
      type.prototype[name] = function (...told) {
        type.prototype[name] = work;
        ${then}
        return work.apply(this, told);
      };
    }
    process.argv.splice(1, 0, 'main.ts');
    await import('${source}/main.ts');`;
  const argv = ['--input-type=module', '-e', script, '--', ...verb];
  const { status, signal, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  return { status, signal, stderr };
}

const market = ['--market', 'ABC/EUR'];
describe.each<readonly [string, (out: string) => readonly string[]]>([
  ['out.parquet', (out) => ['export', recording, '-o', out]],
  ['out.csv', (out) => ['export', recording, '-o', out]],
  ['out.csv.gz', (out) => ['export', recording, '-o', out]],
  ['imported.mrec', (out) => ['import', 'csv-trades', table, '-o', out, ...market]],
  ['compiled.mrec', (out) => ['compile', capture, '-o', out]],
])('%s', (name, verb) => {
  const argv = verb(join(folder, name));

  test.each(['SIGINT', 'SIGTERM'])('is not there after %s, nor a part of it', (signal) => {
    const ended = writeUntil(`process.kill(process.pid, '${signal}');`, argv);
    expect(ended).toEqual({ status: null, signal, stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(['day.cap', 'day.mrec', 'trades.csv']);
  });

  test('nor after an error that nobody caught', () => {
    const ended = writeUntil(`queueMicrotask(() => { throw new RangeError('planted'); });`, argv);
    expect(ended).toMatchObject({ status: 1, signal: null });
    expect(ended.stderr).toContain('millrace: RangeError: planted');
    expect(readdirSync(folder).sort()).toEqual(['day.cap', 'day.mrec', 'trades.csv']);
  });
});
