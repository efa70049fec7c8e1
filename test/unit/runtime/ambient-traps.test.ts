/** What a plugin reads of the world, by modules in a process whose stacks are Node's own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { AmbientUse } from '../../../src/runtime/ambient-traps.ts';

const traps = join(import.meta.dirname, '../../../src/runtime/ambient-traps.ts');
const root = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-traps-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the text as a module in a folder of that name, while the traps stand. */
function run(name: string, text: string): readonly AmbientUse[] {
  const folder = join(root, name);
  mkdirSync(folder);
  const file = join(folder, 'strategy.mjs');
  writeFileSync(file, text);
  const program = `
    import { setAmbientTraps } from ${JSON.stringify(traps)};
    const uses = [];
    const folder = ${JSON.stringify(folder)};
    const untrap = setAmbientTraps({ folder, onUse: (use) => uses.push(use) });
    await import(${JSON.stringify(pathToFileURL(file).href)});
    untrap();
    process.stdout.write(JSON.stringify(uses));`;
  const commandLine = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, commandLine, { encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

test.each(['my bots', 'strät', 'bots(1)', 'a:7:1', '50%'])(
  'the folder "%s" hides nothing',
  (name) => {
    const file = join(root, name, 'strategy.mjs');
    expect(run(name, '\n\nDate.now();\n')).toEqual([{ what: 'Date.now', file, line: 3 }]);
  },
);
