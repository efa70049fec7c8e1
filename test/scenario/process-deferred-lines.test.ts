/** Lines that wait to be written together: none is lost when a bot ends, in whatever way. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { journalRunsIn } from '../../src/bot/journal/journal-segments.ts';
import { decodeLine, type JournalBatch } from '../../src/engine/journal.ts';
import { endAll, millrace } from '../support/process-bot.ts';
import { openPlace, writeConfig } from '../support/safety-bot.ts';

afterAll(endAll);

/** Stores a number every millisecond, so that some lines of the journal wait at any time. */
const source = (name: string, deed: string): string => `/** A plugin of a test. */
import { map } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';

export default defineStrategy({
  name: '${name}',
  parameters: z.strictObject({}),
  pairs: 1,
  state: { schema: z.strictObject({ count: z.int() }), initial: { count: 0 } },
  run(context) {
    let count = 0;
    return context.every(1).pipe(map(() => {
      if (++count === 1000) { ${deed} }
      return { kind: 'remember', state: { count } };
    }));
  },
});
`;

/** Runs a bot whose strategy does `deed` after some seconds. */
async function run(name: string, deed: string, signal?: NodeJS.Signals) {
  const opened = await openPlace();
  const { root, home } = opened;
  mkdirSync(join(root, 'strategies', name));
  writeFileSync(join(root, 'strategies', name, 'strategy.ts'), source(name, deed));
  const config = writeConfig(opened, name, (text) =>
    text.replace('plugin: many', `plugin: ${name}`),
  );
  const bot = millrace(['run', config, '--home', home], { root });
  await bot.sees(/reconciled: /u);
  if (signal !== undefined) bot.signal(signal);
  const { code } = await bot.ended;
  const [path = ''] = journalRunsIn(join(home, 'journal')).map((one) => one.path);
  const batches = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(decodeLine)
    .filter((block): block is JournalBatch => block?.kind === 'batch');
  const log = readFileSync(join(home, 'log', `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n');
  const database = new SqliteDatabase(join(home, `${name}.sqlite`), { readonly: true });
  const { stored } = database
    .prepare<[], { stored: number }>('SELECT commit_number AS stored FROM runs')
    .get() ?? { stored: 0 };
  database.close();
  return { code, text: bot.text, batches, stored, log };
}

test.each([
  ['exits', 'process.exit(0);', 1],
  ['leaves', 'process.reallyExit(0);', 1],
  ['rejects', `void Promise.reject(new Error('the end'));`, 1],
  ['stops', '', 0],
] as const)(
  'a bot that %s has in its journal all that it stored, and on its terminal all that it logged',
  async (name, deed, expected) => {
    const { code, text, batches, stored, log } = await run(
      name,
      deed,
      deed === '' ? 'SIGTERM' : undefined,
    );
    expect(code, text).toBe(expected);
    // A second of numbers, each of which waits at most 50 ms for its commit.
    expect(stored).toBeGreaterThan(deed === '' ? 1 : 15);
    const last = batches.at(-1);
    // The promise is rejected while its batch waits for its commit or its release.
    const waiting = name === 'rejects' ? 1 : 0;
    expect(stored - (last?.commit ?? 0)).toBeLessThanOrEqual(waiting);
    const notices = batches.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === 'notice' ? [effect.notice.text] : [])),
    );
    expect(notices.length).toBeGreaterThan(3);
    const logged = log.map((line) => JSON.parse(line).msg as string);
    for (const notice of notices) {
      expect(logged.some((line) => line.startsWith(notice))).toBe(true);
      expect(text).toContain(notice.replaceAll(/[\n\t]/gu, '?'));
    }
  },
  120_000,
);
