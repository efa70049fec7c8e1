/**
 * Plugins with something planted in them: the market maker that `npm start` runs with a clock in
 * it, a copy that quotes just the same, and ones that do nothing but what a test says.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const inside = '    bid: mid * (1 - halfSpread),';

/** Writes the plugin below `folder` and returns the folder of strategies that it is in. */
export function writeClockReader(folder: string): string {
  const strategies = join(folder, 'strategies');
  const source = readFileSync(join(root, 'strategies/simple-mm/strategy.ts'), 'utf8');
  if (!source.includes(inside)) throw new Error('simple-mm has no place to plant a clock in');
  const planted = source
    .replace(inside, inside.replace('mid', '(Date.now(), mid)'))
    .replace("'millrace'", `'${join(root, 'src/index.ts')}'`)
    .replaceAll(/from '(rxjs|zod)'/gu, (_, name) => `from '${import.meta.resolve(name)}'`);
  mkdirSync(join(strategies, 'simple-mm'), { recursive: true });
  writeFileSync(join(strategies, 'simple-mm', 'strategy.ts'), planted);
  return strategies;
}

/**
 * Writes a plugin of that name below `folder`; `run` is the body of its method, with context,
 * market, its pair, and RxJS as `rx` at hand; `loading` stands before it in the module; `parameters`
 * is the expression of its schema. Returns the folder of strategies that it is in.
 */
export function writePlugin(
  folder: string,
  name: string,
  run: string,
  loading = '',
  parameters = 'z.object({})',
): string {
  const strategies = join(folder, 'strategies');
  mkdirSync(join(strategies, name), { recursive: true });
  linkModules(folder);
  const source = `import * as rx from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '${join(root, 'src/index.ts')}';
${loading}
export default defineStrategy({
  name: '${name}', parameters: ${parameters}, pairs: 'any',
  run(context) {
    const [market] = context.pairs;
    const { pair } = market;
${run}
  },
});
`;
  writeFileSync(join(strategies, name, 'strategy.ts'), source);
  return strategies;
}

/** Lets plugins below `folder` import what a strategy of the repository can. */
export function linkModules(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
}
