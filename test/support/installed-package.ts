/** The package, built into a project as npm would install it; its dependencies are the clone's. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** Returns the folder of the package in `project`, which has no `node_modules` yet. */
export function installPackage(project: string): string {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  const own = join(packageRoot, 'node_modules');
  for (const name of readdirSync(own))
    if (!name.startsWith('.')) symlinkSync(join(own, name), join(modules, name));
  const installed = join(modules, 'millrace');
  const build = join(packageRoot, 'packages/millrace/build.mjs');
  const { status, stderr } = spawnSync(process.execPath, [build, installed], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the package was not built: ${stderr}`);
  const bin = 'millrace/src/bin.mjs';
  chmodSync(join(modules, bin), 0o755);
  for (const [name, file] of [
    ['millrace', bin],
    ['vitest', 'vitest/vitest.mjs'],
    ['tsc', 'typescript/bin/tsc'],
  ] as const)
    symlinkSync(join('..', file), join(modules, '.bin', name));
  return installed;
}
