/** The hook that resolves imports from their text finds the files that Node would find. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const addressOf = (file: string): string => pathToFileURL(path.join(root, file)).href;

/** Imports `file` in a new process; returns the addresses of all files that it loads. */
function loadedBy(file: string, hooks: readonly string[]): readonly string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        loaded.push(url);
        return next(url, context);
      },
    });
    await import(${JSON.stringify(addressOf(file))});
    process.stdout.write(JSON.stringify(loaded.sort()));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...hooks, '--input-type=module', '--eval', script],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const loaded = JSON.parse(stdout) as readonly string[];
  // The hook has loaded modules of Node before this script watches.
  return loaded.filter((url) => url.startsWith('file:'));
}

test('a backtest loads the same files with and without the hook', () => {
  const command = 'src/cli/commands/backtest-command.ts';
  const hook = `--import=${addressOf('src/runtime/own-modules.mjs')}`;
  const byNode = loadedBy(command, []);
  expect(loadedBy(command, [hook])).toEqual(byNode);
  // It covers the packages that the hook names.
  for (const folder of ['rxjs/dist/cjs/', 'yaml/dist/', 'zod/v4/'])
    expect(byNode.filter((url) => url.includes(`/node_modules/${folder}`)).length).toBeGreaterThan(
      50,
    );
});
