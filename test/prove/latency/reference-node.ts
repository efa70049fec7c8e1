/** The Node with which the goals for CPU time were set. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The version that ran floor and bots when the proof was written. */
export const referenceVersion = '24.21.0';

/** Returns the path of its program, and installs it first if necessary. Throws if that fails. */
export function referenceNode(): string {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'millrace-node', referenceVersion);
  const program = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const { stderr } = spawnSync('npm', ['install', ...options, `${name}@${referenceVersion}`], {
    encoding: 'utf8',
    shell: isWindows,
  });
  if (existsSync(program)) return program;
  const why = (stderr ?? '').trim().slice(-500) || 'npm was not found';
  throw new Error(`${name} ${referenceVersion} cannot be installed in ${folder}: ${why}`);
}
