/** Files that several processes write at once, and the file that a killed process leaves. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PartialFile, partialPathsOf } from '../../../src/runtime/partial-file.ts';

const source = join(import.meta.dirname, '../../../src/runtime/partial-file.ts');

let folder: string;
let path: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-partial-'));
  path = join(folder, 'out.json');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that has written its partial file, and keeps it when it gets a message. */
async function otherWriter(text: string): Promise<ChildProcess> {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { PartialFile } from ${JSON.stringify(source)};
    const file = new PartialFile(${JSON.stringify(path)});
    writeFileSync(file.path, ${JSON.stringify(text)});
    process.stdin.once('data', () => { file.keep(); process.exit(0); });
    process.stdout.write('filled');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

test('two processes that write one file at once do not interfere, and the last one wins', async () => {
  const other = await otherWriter('of the other');
  const file = new PartialFile(path);
  writeFileSync(file.path, 'ours');
  expect(readdirSync(folder)).toHaveLength(2);
  file.keep();
  expect(readFileSync(path, 'utf8')).toBe('ours');
  other.stdin?.write('keep');
  expect(await once(other, 'exit')).toEqual([0, null]);
  expect(readFileSync(path, 'utf8')).toBe('of the other');
  expect(readdirSync(folder)).toEqual(['out.json']);
});

test('the file of a killed process is removed when the same file is written again', async () => {
  const other = await otherWriter('half');
  const [left] = partialPathsOf(path);
  new PartialFile(path);
  expect(partialPathsOf(path)).toEqual([left]);
  other.kill('SIGKILL');
  await once(other, 'exit');
  new PartialFile(join(folder, 'another.json'));
  expect(partialPathsOf(path)).toEqual([left]);
  new PartialFile(path);
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'so is the file of a process whose number is in use again',
  () => {
    writeFileSync(`${path}.${process.pid}-1.partial`, 'half');
    new PartialFile(path);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('files with other names stay', () => {
  const others = ['out.json.partial', 'out.json.999999999.partial.json', 'x.999999999.partial'];
  for (const name of others) writeFileSync(join(folder, name), '');
  new PartialFile(path);
  expect(readdirSync(folder).sort()).toEqual([...others].sort());
});

test('discarding a missing file is not an error', () => {
  const file = new PartialFile(join(path, 'below', 'what.json'));
  file.discard();
  expect(() => file.keep()).toThrow('ENOENT');
});
