/** What a plugin's own files may import of Node and of Millrace. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { forbiddenImports } from '../../../src/strategy/forbidden-imports.ts';
import { readPluginCode } from '../../../src/strategy/plugin-code.ts';
import { linkModules } from '../../support/planted-plugin.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-imports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
linkModules(folder);

/** Returns the forbidden imports of a plugin with that text, each with its line and the reason. */
async function refused(text: string): Promise<readonly string[]> {
  const own = join(folder, 'yours');
  mkdirSync(own, { recursive: true });
  const file = join(own, 'strategy.ts');
  writeFileSync(file, text);
  const { sources } = await readPluginCode({ file, root: folder, kind: 'path' }, []);
  return forbiddenImports(sources).map((one) => `${one.line} ${one.specifier}: ${one.why}`);
}

test('modules of Node that reach the world, and files of Millrace, each with its line', async () => {
  const engine = join(root, 'src/engine/engine.ts');
  const found = await refused(`import { readFileSync } from 'node:fs';
import { inspect } from 'util';
import { Engine } from '${engine}';
const late = await import('child_process');
export default [readFileSync, inspect, Engine, late];
`);
  expect(found).toEqual([
    '1 node:fs: a replay cannot repeat what it does',
    '4 child_process: a replay cannot repeat what it does',
    expect.stringMatching(/^3 \S+engine\.ts: .* only its public interface, \S+src\/index\.ts$/u),
  ]);
});

test('what only computes is allowed, and so is what is imported as a type only', async () => {
  const index = join(root, 'src/index.ts');
  const found = await refused(`import { Decimal } from 'decimal.js';
import { NEVER } from 'rxjs';
import { z } from 'zod';
import type { Server } from 'node:net';
import { defineStrategy } from '${index}';
// import 'node:fs';
export default [Decimal, NEVER, z, defineStrategy, "import 'node:fs'"] as (unknown | Server)[];
`);
  expect(found).toEqual([]);
});
