/** Each entry of the package can be imported, its types hold, and a wrong intent is one line. */
import { rmSync } from 'node:fs';
import { changed, type InstalledProject, read, run, write } from './installed-project.ts';

const uses = `import { amount, defineStrategy, type Intent, type Strategy } from 'millrace';
import { fakeContext, playRecording, startExchange } from 'millrace/testing';
import 'millrace/testing/vitest';
import { expect, test } from 'vitest';
import strategy from './quoter.ts';
export const idle: Intent = { kind: 'idle', pair: 'XBTZAR', reason: 'it waits' };
export const all = [amount, defineStrategy, playRecording];
export const none: Strategy<object, undefined> | undefined = undefined;
test('uses every entry', async () => {
  const run = fakeContext(strategy, { parameters: { halfSpread: '1%', size: '0.01' } });
  expect(run).not.toQuote([]);
  await using exchange = await startExchange({ participants: false });
  expect(exchange.baseUrl).toMatch(/^http:/u);
});
`;

/** Returns the number of entries. */
export async function checkTypes(project: InstalledProject, faults: string[]): Promise<number> {
  const { folder } = project;
  const manifest = JSON.parse(read(folder, 'node_modules/millrace/package.json'));
  const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
  for (const entry of entries) {
    const name = `millrace${entry.slice(1)}`;
    // Only a test of vitest can import what extends its `expect`; one does below.
    if (entry === './testing/vitest') continue;
    const script = `if (Object.keys(await import('${name}')).length === 0) process.exit(1)`;
    const words = [process.execPath, '--input-type=module', '--eval', script];
    const { code, err } = await run(words, { cwd: folder });
    if (code !== 0) faults.push(`import of ${name} ended with ${code}: ${err}`);
  }
  write(folder, 'strategies/uses.test.ts', uses);
  const used = await run(['npx', 'vitest', 'run', 'uses'], { cwd: folder });
  if (used.code !== 0) faults.push(`a test with every entry: ${used.out}${used.err}`);
  // Libraries are not ours to judge, except Millrace.
  const checked = await tsc(folder, '--skipLibCheck', 'false');
  const ours = checked.filter((line) => /^(?:strategies|node_modules\/millrace)\//u.test(line));
  if (ours.length > 0) faults.push(`types: ${ours.join('; ')}`);
  rmSync(`${folder}/strategies/uses.test.ts`);

  const place = read(folder, 'node_modules/millrace/templates/strategies/place/strategy.ts');
  const wrong = changed(place, 'reason:', 'reasn:');
  write(folder, 'strategies/wrong.ts', wrong);
  const lines = await tsc(folder);
  const isOneLine = lines.length === 1 && /wrong\.ts\(\d+,\d+\): .*'reasn'/u.test(lines[0] ?? '');
  if (!isOneLine)
    faults.push(`a wrong intent is ${lines.length} lines of tsc: ${lines.join('\n')}`);
  rmSync(`${folder}/strategies/wrong.ts`);
  return entries.length;
}

async function tsc(folder: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(['npx', 'tsc', '--pretty', 'false', ...flags], { cwd: folder });
  return out.split('\n').filter((line) => line !== '');
}
