/** Paths that cannot be read: the error names the path and the reason. */

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runCheckStrategy } from '../../../src/cli/commands/check-strategy-command.ts';
import { statusOf } from '../../../src/cli/file-status.ts';
import { findScenario } from '../../../src/cli/find-scenario.ts';
import { checkOutputFile } from '../../../src/cli/output-file.ts';
import { prepareWritableFolder } from '../../../src/cli/writable-folder.ts';
import { StoreError } from '../../../src/domain/errors.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-named-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A symbolic link to itself. */
const loop = join(folder, 'loop');
symlinkSync(loop, loop);
const problem = `${loop} cannot be read: ELOOP`;

test('an existing path has a status, a missing one has none', () => {
  expect(statusOf(folder)?.isDirectory()).toBe(true);
  expect(statusOf(join(folder, 'nowhere'))).toBeUndefined();
});

test('an output and an input of a command', () => {
  const out = join(folder, 'out.mrec');
  for (const files of [
    { out: loop, inputs: [folder] },
    { out, inputs: [folder, loop] },
  ])
    expect(() => checkOutputFile({ ...files, kind: 'recording' })).toThrow(
      new StoreError(`${problem}: too many symbolic links encountered, stat '${loop}'`),
    );
});

test('a scenario and a strategy', async () => {
  expect(() => findScenario(loop, workspace)).toThrow(StoreError);
  expect(() => findScenario(loop, workspace)).toThrow(problem);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson: false, stdout, stderr });
  const check = { file: loop, scenario: undefined, graceMs: 1_000, workspace, output };
  await expect(runCheckStrategy(check)).rejects.toThrow(problem);
});

/** Only root can change its user id, and root ignores permissions. */
const isRoot = process.geteuid?.() === 0;

/** Runs `work` as a user without access to our folder. */
function asNobody(work: () => void): void {
  process.seteuid?.(65_534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}

test.runIf(isRoot)('a results folder without access permission', () => {
  asNobody(() => {
    expect(() => prepareWritableFolder(folder)).toThrow(StoreError);
    expect(() => prepareWritableFolder(folder)).toThrow(
      `cannot write in ${folder}: EACCES: permission denied, open`,
    );
  });
});

test.runIf(isRoot)('an older output without read permission', () => {
  const out = join(tmpdir(), `millrace-unread-${process.pid}.mrec`);
  writeFileSync(out, 'MILLREC1', { mode: 0o600 });
  try {
    asNobody(() => {
      const check = () => checkOutputFile({ out, inputs: [], kind: 'recording' });
      expect(check).toThrow(StoreError);
      expect(check).toThrow(`-o ${out} exists and cannot be read: EACCES`);
    });
  } finally {
    rmSync(out);
  }
});
