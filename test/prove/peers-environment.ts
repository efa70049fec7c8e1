/**
 * The Python environments of the comparison: one for each package, since they need different
 * versions of others. Each is made once, from PyPI, in a folder outside of the repository.
 *
 * `MILLRACE_PEERS` names that folder, `MILLRACE_PYTHON` the Python to make them with.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PeerPackage, peerPackages } from './peers-programs.ts';

const execute = promisify(execFile);

/** The oldest for which NautilusTrader and numpy are published as they are pinned. */
const minorMin = 12;
const minorMax = 14;
const versionLine = 'import sys; print(sys.version_info.major, sys.version_info.minor)';

/** An interpreter with the package, or what is missing and how to get it. */
export type PeerEnvironment = { readonly python: string } | { readonly missing: string };

function cacheFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return process.env['MILLRACE_PEERS'] ?? join(cache, 'millrace-peers');
}

/** Returns a Python that is new enough, or undefined. */
export async function findPython(): Promise<string | undefined> {
  const given = process.env['MILLRACE_PYTHON'];
  const names = ['python3.12', 'python3.13', 'python3.14', 'python3', 'python'];
  for (const command of given === undefined ? [...names, ...pyenvPythons()] : [given])
    if (await isNewEnough(command)) return command;
  return undefined;
}

/** pyenv keeps versions beside the one that its shims start. */
function pyenvPythons(): readonly string[] {
  const versions = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  if (!existsSync(versions)) return [];
  return readdirSync(versions).map((name) => join(versions, name, 'bin/python'));
}

async function isNewEnough(command: string): Promise<boolean> {
  try {
    const { stdout } = await execute(command, ['-c', versionLine]);
    const [major = 0, minor = 0] = stdout.split(' ').map(Number);
    return major === 3 && minor >= minorMin && minor <= minorMax;
  } catch {
    return false;
  }
}

/** Makes the environment of a package unless it is there. */
export async function environmentOf(
  name: PeerPackage,
  python: string | undefined,
): Promise<PeerEnvironment> {
  const requirements = join(import.meta.dirname, `peers/requirements/${name}.txt`);
  const folder = join(cacheFolder(), `${name}-${peerPackages[name]}`);
  const made = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const mark = join(folder, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return { python: made };
  if (python === undefined)
    return {
      missing: `${name}: no Python 3.${minorMin} to 3.${minorMax} was found; install one, or name it in MILLRACE_PYTHON`,
    };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await execute(python, ['-m', 'venv', folder]);
    const install = ['-m', 'pip', 'install', '--quiet', '--requirement', requirements];
    await execute(made, install, { maxBuffer: 1e8 });
    writeFileSync(mark, wanted);
    return { python: made };
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = stderr.trim().split('\n').at(-1) || message;
    return {
      missing: `${name}: pip could not install it (${reason}); it needs PyPI or a mirror of it, set with "pip config set global.index-url"`,
    };
  }
}
