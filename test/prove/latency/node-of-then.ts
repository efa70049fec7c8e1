/** The Node that the goals for CPU time were set with. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The goals are half of what a reaction cost when the proof was written, in multiples of the floor
 * under this Node. Under a newer one, the floor itself takes less.
 */
export const versionOfThen = '24.21.0';

/** Returns its program, which is installed first if necessary. Throws if it cannot be. */
export function nodeOfThen(): string {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'millrace-node', versionOfThen);
  const program = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const { stderr } = spawnSync('npm', ['install', ...options, `${name}@${versionOfThen}`], {
    encoding: 'utf8',
    shell: isWindows,
  });
  if (existsSync(program)) return program;
  const why = (stderr ?? '').trim().slice(-500) || 'npm was not found';
  throw new Error(`${name} ${versionOfThen} cannot be installed in ${folder}: ${why}`);
}
