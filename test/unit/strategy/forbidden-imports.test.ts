/** What a strategy may import, and that the advice about it can be followed. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { forbiddenImports } from '../../../src/strategy/forbidden-imports.ts';

const root = join(import.meta.dirname, '../../..');
const publicFile = join(root, 'src', 'index.ts');
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-imports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns why each import of a strategy with that text is forbidden. */
async function refused(text: string): Promise<readonly string[]> {
  const own = join(folder, 'yours');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'strategy.ts'), text);
  return (await forbiddenImports(own, publicFile)).map(({ why }) => why);
}

test('each import that the advice names resolves, and is allowed', async () => {
  const [advice = ''] = await refused(`import x from 'lodash';`);
  const [, packages = '', ours = ''] =
    /allowed are (.+), and Millrace's public interface, (\S+)$/u.exec(advice) ?? [];
  expect(packages.split(', ')).toEqual(['decimal.js', 'rxjs', 'zod']);
  const { resolve: find } = createRequire(join(root, 'strategies', 'yours', 'strategy.ts'));
  for (const name of packages.split(', ')) expect(() => find(name)).not.toThrow();
  expect(resolve(folder, 'yours', ours)).toBe(publicFile);
  const followed = [...packages.split(', '), ours].map((name) => `import '${name}';`);
  expect(await refused(followed.join('\n'))).toEqual([]);
});

test('millrace is no package that resolves, so it is not allowed as one', async () => {
  const [why] = await refused(`import { defineStrategy } from 'millrace';`);
  expect(why).toMatch(/^the package is not allowed; allowed are /u);
  const [inside] = await refused(`import { Engine } from '${join(root, 'src/engine/engine.ts')}';`);
  expect(inside).toMatch(/public interface, \S+src\/index\.ts$/u);
});
