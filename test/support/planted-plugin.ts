/** The market maker that `npm start` runs, with a clock in it: a copy that quotes just the same. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const inside = '  return {\n    bid: market.round(';

/** Writes the plugin below `folder` and returns the folder of strategies that it is in. */
export function writeClockReader(folder: string): string {
  const strategies = join(folder, 'strategies');
  const source = readFileSync(join(root, 'strategies/simple-mm/strategy.ts'), 'utf8');
  if (!source.includes(inside)) throw new Error('simple-mm has no place to plant a clock in');
  const planted = source
    .replace(inside, `  Date.now();\n${inside}`)
    .replace('../../src/index.ts', join(root, 'src/index.ts'))
    .replaceAll(/from '(rxjs|zod)'/gu, (_, name) => `from '${import.meta.resolve(name)}'`);
  mkdirSync(join(strategies, 'simple-mm'), { recursive: true });
  writeFileSync(join(strategies, 'simple-mm', 'strategy.ts'), planted);
  return strategies;
}
