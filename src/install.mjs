/**
 * Installs the packages of the lockfile into the clone's `node_modules`, with Node 20 or later and
 * npm 8 or later, before any package is installed. npm decides what is missing.
 *
 * Invariants: no install script ever runs; a stamp is written last, so that an interrupted install
 * is recognised; a lock lets one process install while others wait.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import {
  binaryIn,
  InstallError,
  InstallInterrupted,
  isInstalled,
  nodePackageOf,
  nodeVersionMin,
  npmListPath,
  readJson,
  stampPath,
  wantedOf,
  windows,
} from './installed.mjs';
import { requireNode } from './node-problem.mjs';

const lockPollMs = 200;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Installs what is missing or outdated. The level `run` installs what a bot needs, `all` also the
 * packages for tests and lint; `run` does not remove those.
 */
export async function install(root, level) {
  const unlock = await lock(path.join(root, '.install.lock'));
  try {
    if (!isInstalled(root, level)) await installNow(root, level);
  } finally {
    unlock();
  }
}

async function installNow(root, asked) {
  const level = asked === 'all' || hasTestPackages(root) ? 'all' : 'run';
  // Where npm has installed before, it replaces only what differs: a bot may run from these files.
  const isAdding = fs.existsSync(npmListPath(root));
  say(`npm installs what is missing of about ${level === 'all' ? 340 : 200} MB ...`);
  fs.rmSync(stampPath(root), { force: true });
  const dev = level === 'all' ? '--include=dev' : '--omit=dev';
  const verb = isAdding ? ['install', '--no-save'] : ['ci'];
  await npm(root, [...verb, '--ignore-scripts', dev, '--include=optional']);
  const { folder, version } = nodePackageOf(root) ?? {};
  // The headers, needed only for compiling against Node, are a third of the package.
  if (folder !== undefined)
    fs.rmSync(path.join(folder, 'include'), { recursive: true, force: true });
  const isPinned = version !== undefined && versionOf(binaryIn(folder)) === version;
  if (!isPinned) {
    requireNode(nodeVersionMin(root));
    say(`no package of Node runs on this machine; using the installed ${process.execPath}`);
  }
  const temporary = `${stampPath(root)}.${process.pid}`;
  fs.writeFileSync(temporary, JSON.stringify({ wanted: wantedOf(root), level, isPinned }));
  fs.renameSync(temporary, stampPath(root));
}

/** Whether the packages for the tests are installed; an upgrade must then keep them. */
function hasTestPackages(root) {
  const { devDependencies = {} } = readJson(path.join(root, 'package.json')) ?? {};
  const [first] = Object.keys(devDependencies);
  return first !== undefined && fs.existsSync(path.join(root, 'node_modules', first));
}

/** Runs npm, which shows errors only, and passes signals on to it. */
async function npm(root, args) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict'];
  // Without a network npm would otherwise be silent for more than a minute.
  const patience = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
  const child = spawn(
    windows ? 'npm.cmd' : 'npm',
    [...args, ...quiet, ...patience, '--prefer-offline'],
    {
      cwd: root,
      env: environmentOutside(root),
      shell: windows,
      stdio: ['ignore', 2, 2],
    },
  );
  let given;
  const passOn = (signal) => {
    given = signal;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, passOn);
  const [code, signal] = await once(child, 'close').catch((error) => {
    throw new InstallError(
      `npm could not be started (${error.message})`,
      'install Node with npm, and check PATH',
    );
  });
  for (const name of signals) process.off(name, passOn);
  if (given !== undefined) throw new InstallInterrupted(given);
  if (code === 0) return;
  const how = code === null ? `was ended by ${signal}` : `failed with code ${code}`;
  throw new InstallError(
    `npm ${args[0]} ${how}`,
    'npm says above what is wrong; if it does not, delete node_modules and run the command again',
  );
}

/** Removes our own `node_modules/.bin` from PATH, where npm puts it: npm will delete the folder. */
function environmentOutside(root) {
  const env = { ...process.env };
  const inside = path.join(root, 'node_modules') + path.sep;
  for (const key of Object.keys(env).filter((name) => name.toUpperCase() === 'PATH')) {
    const folders = (env[key] ?? '').split(path.delimiter);
    env[key] = folders
      .filter((folder) => !(folder + path.sep).startsWith(inside))
      .join(path.delimiter);
  }
  return env;
}

/**
 * Takes the install lock, a file with the id of its process, and returns a function that releases
 * it. Waits while that process is alive; takes the lock of a dead one.
 */
async function lock(file) {
  for (let isTold = false; ; ) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST')
        throw new InstallError(
          `${file} cannot be created (${error.code})`,
          'check who owns the folder, and whether its disk is full or read-only',
        );
    }
    if (!isHeld(file)) fs.rmSync(file, { recursive: true, force: true });
    else if (!isTold) {
      say(`waiting for another install; if none is running, delete ${file}`);
      isTold = true;
    }
    await new Promise((resolve) => setTimeout(resolve, lockPollMs));
  }
}

/** Whether the process that holds the lock is alive. */
function isHeld(file) {
  try {
    const id = Number.parseInt(fs.readFileSync(file, 'utf8'), 10);
    // It was created a moment ago.
    if (Number.isNaN(id)) return true;
    process.kill(id, 0);
    // In a container, a process may have the id that it had before the container's restart.
    return id !== process.pid;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function versionOf(binary) {
  const answer = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim().replace(/^v/u, '') : undefined;
}

function say(text) {
  fs.writeSync(2, `millrace: ${text}\n`);
}
