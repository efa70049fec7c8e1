/** A command that is given a file of another kind says what it is and which command takes it. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readRecordedRun } from '../../../src/bot/journal/recorded-run.ts';
import { replayJournal } from '../../../src/bot/journal/replay-journal.ts';
import { encodeHeader } from '../../../src/engine/journal.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { workspace } from '../../support/package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-kinds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const header = encodeHeader({} as Parameters<typeof encodeHeader>[0]);
const files = {
  result: [
    written('result.json', '{\n "scenario": "first",\n "pair": "XBTZAR"\n}\n'),
    /result of/u,
  ],
  scenario: ['backtests/first/scenario.yaml', /a scenario; `backtest` takes it/u],
  recording: ['backtests/first/recording.mrec', /a recording/u],
  capture: [written('a.cap', 'MILLCAP1'), /a capture/u],
  database: [written('a.sqlite', 'SQLite format 3\0'), /a database/u],
  journal: [written('a.jsonl', header), /a journal; `replay` and `compare` take it/u],
  packed: [written('a.jsonl.gz', gzipSync(header)), /a journal/u],
  bot: ['config/demo.yaml', /the settings of a bot; `start`, `run`/u],
} as const;
type Kind = keyof typeof files;

const readers: Readonly<Record<string, (path: string) => unknown>> = {
  compare: (path) => readRecordedRun(path, () => Promise.reject(new Error('unreachable'))),
  replay: (path) => replayJournal(path, 'strategies'),
  export: (path) => new Recording(path),
  verify: (path) => {
    throw new Error(verifyFile(path, marketFramesOf).problems.join('\n'));
  },
  start: (path) => loadBotSettings(path, { workspace }),
  backtest: (path) => loadScenario(path),
};
const own: Readonly<Record<string, readonly Kind[]>> = {
  compare: ['journal', 'packed'],
  replay: ['journal', 'packed'],
  export: ['recording'],
  verify: ['recording', 'capture'],
  start: ['bot'],
  // A compressed journal is no text, which the error says.
  backtest: ['scenario'],
};

const cases = Object.keys(readers).flatMap((command) =>
  (Object.keys(files) as Kind[])
    .filter((kind) => own[command]?.includes(kind) !== true)
    .filter((kind) => kind !== 'packed' || !['start', 'backtest'].includes(command))
    .map((kind) => [command, kind] as const),
);

test.each(cases)('%s of a %s', async (command, kind) => {
  const [path, what] = files[kind];
  await expect((async () => readers[command]?.(path))()).rejects.toThrow(what);
});
