/**
 * Installs the packages of the lockfile into `node_modules`, with Node 20 or later and npm 8 or
 * later, before any package is installed.
 *
 * Invariants: no install script ever runs; a stamp is written last, so that an interrupted install
 * is recognised; a lock folder lets one process install while others wait.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  binaryIn,
  InstallError,
  InstallInterrupted,
  isInstalled,
  nodePackageOf,
  nodePlace,
  readJson,
  requireOwnNode,
  stampPath,
  wantedOf,
  windows,
} from './installed.mjs';

const npmEndMsMax = 5_000;
const lockPollMs = 200;
const lockHeartbeatMs = 2_000;
const lockSilenceMsMax = 120_000;
const lockWaitMsMax = 900_000;

/**
 * Installs what is missing or outdated. The level `run` installs what a bot needs, `all` also the
 * packages for tests and lint; `run` does not remove those.
 */
export async function install(root, level) {
  const guard = guardSignals();
  try {
    const unlock = await lock(root, guard);
    try {
      if (!isInstalled(root, level)) await installNow(root, level, guard);
    } finally {
      unlock();
    }
  } finally {
    guard.end();
  }
}

async function installNow(root, asked, guard) {
  const level = asked === 'all' || hasTestPackages(root) ? 'all' : 'run';
  if (!treeMatchesLockfile(root, level)) {
    const isAdding = level === 'all' && treeMatchesLockfile(root, 'run');
    const what = isAdding ? 'the packages for the tests' : 'the packages of package-lock.json';
    say(`installing ${what} (once; about ${level === 'all' ? 320 : 180} MB on disk) ...`);
    fs.rmSync(stampPath(root), { force: true });
    // Without npm's own list, an interrupted install cannot look complete.
    if (!isAdding)
      fs.rmSync(path.join(root, 'node_modules', '.package-lock.json'), { force: true });
    const dev = level === 'all' ? '--include=dev' : '--omit=dev';
    const verb = isAdding ? ['install', '--no-save'] : ['ci'];
    await npm(root, guard, [...verb, '--ignore-scripts', dev, '--include=optional']);
  }
  const { folder, version } = nodePackageOf(root) ?? {};
  // The headers, needed only for compiling against Node, are a third of the package.
  if (folder !== undefined)
    fs.rmSync(path.join(folder, 'include'), { recursive: true, force: true });
  const isPinned = version !== undefined && versionOf(binaryIn(folder)) === version;
  if (!isPinned) {
    requireOwnNode(root);
    say(`the lockfile has no Node that runs here; using the installed ${process.execPath}`);
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

/**
 * Whether the installed packages are those of the lockfile, for example after a plain `npm install`
 * or `npm ci`. For the level `run`, packages that only the tests need may be missing.
 */
function treeMatchesLockfile(root, level) {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  const found = readJson(path.join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (wanted === undefined || found === undefined) return false;
  for (const [where, entry] of Object.entries(wanted)) {
    if (where === '') continue;
    const present = found[where];
    if (present === undefined) {
      const isSpare = entry.optional || entry.devOptional || (entry.dev && level === 'run');
      if (!isSpare || where === nodePlace) return false;
      continue;
    }
    if (present.version !== entry.version || present.integrity !== entry.integrity) return false;
    if (!fs.existsSync(path.join(root, where, 'package.json'))) return false;
  }
  return Object.keys(found).every((where) => wanted[where] !== undefined);
}

/** Runs npm quietly; its output is shown only if it fails, followed by the likely fix. */
function npm(root, guard, args) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict'];
  // Without a network npm would otherwise be silent for more than a minute.
  const patience = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
  const command = windows ? 'npm.cmd' : 'npm';
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, ...quiet, ...patience, '--prefer-offline'], {
      cwd: root,
      env: environmentOutside(root),
      shell: windows,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    guard.child = child;
    let output = '';
    const collect = (chunk) => {
      output = (output + chunk).slice(0, 8_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => {
      reject(new InstallError(`npm could not be started (${error.message})`, fixOf(error.message)));
    });
    child.on('close', (code, signal) => {
      guard.child = undefined;
      if (guard.signal !== undefined) reject(new InstallInterrupted(guard.signal));
      else if (code === 0) resolve();
      else {
        const how = code === null ? `was ended by ${signal}` : `failed with code ${code}`;
        reject(new InstallError(`npm ${args[0]} ${how}\n${firstLines(output)}`, fixOf(output)));
      }
    });
  });
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

/** npm appends its whole manual to some errors; the cause comes first. */
function firstLines(output) {
  return output.trim().split('\n').slice(0, 12).join('\n');
}

function fixOf(output) {
  const fixes = [
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET|network/u,
      'no answer from the package registry: check network, proxy, `npm config get registry`',
    ],
    [
      /in sync|EUSAGE/u,
      'package.json and package-lock.json disagree: run `npm install`, then look at the difference',
    ],
    [
      /EINTEGRITY/u,
      'a package differs from the lockfile: `npm cache clean --force`, then try again',
    ],
    [/E401|E403|ENEEDAUTH/u, 'the registry refused access: check the login in ~/.npmrc'],
    [
      /E404|ETARGET|notarget/u,
      'the registry does not have that version: check `npm config get registry`',
    ],
    [/ENOSPC/u, 'the disk is full: about 180 MB are needed, and 320 MB for the tests'],
    [
      /EACCES|EPERM|EROFS/u,
      'this user may not write here: check who owns the folder and node_modules',
    ],
    [/EBUSY/u, 'a file is in use: stop the other Millrace processes of this folder'],
    [/ENOENT/u, 'npm was not found: install Node with npm, and check PATH'],
  ];
  const hit = fixes.find(([pattern]) => pattern.test(output));
  return hit?.[1] ?? 'delete node_modules and run the command again';
}

/**
 * Takes the install lock and returns a function that releases it. Waits while its owner is alive;
 * takes it from a dead one.
 */
async function lock(root, guard) {
  const folder = path.join(root, '.install.lock');
  const owner = path.join(folder, 'owner.json');
  const mine = { pid: process.pid, host: os.hostname() };
  for (let waitedMs = 0; ; waitedMs += lockPollMs) {
    if (guard.signal !== undefined) throw new InstallInterrupted(guard.signal);
    try {
      fs.mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw new InstallError(
          `${folder} cannot be created (${error.code})`,
          fixOf(String(error.code)),
        );
      }
    }
    if (isAbandoned(folder, owner)) {
      removeAbandoned(folder);
      continue;
    }
    if (waitedMs === 0) say('waiting for another install in this folder ...');
    if (waitedMs >= lockWaitMsMax) {
      throw new InstallError(
        `${folder} is still held`,
        `if no install is running, delete ${folder}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, lockPollMs));
  }
  const renew = () => {
    fs.writeFileSync(owner, JSON.stringify({ ...mine, child: guard.child?.pid }));
  };
  renew();
  const heartbeat = setInterval(() => {
    try {
      renew();
    } catch {
      // Somebody deleted the folder, which does not harm the install itself.
    }
  }, lockHeartbeatMs);
  return () => {
    clearInterval(heartbeat);
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

/** Whether the owner is dead on this machine, or silent for long: elsewhere, or its id reused. */
function isAbandoned(folder, owner) {
  const silentMs = (file) => Date.now() - fs.statSync(file).mtimeMs;
  try {
    const held = readJson(owner);
    if (held === undefined) return silentMs(folder) > lockHeartbeatMs;
    if (silentMs(owner) > lockSilenceMsMax) return true;
    return held.host === os.hostname() && !isAlive(held.pid) && !isAlive(held.child);
  } catch {
    return false; // Released between two checks.
  }
}

/** Renames before deleting, so that of two processes only one removes it. */
function removeAbandoned(folder) {
  const renamed = `${folder}.${process.pid}`;
  try {
    fs.renameSync(folder, renamed);
    // Between our check and our rename, another process may have created a lock of its own.
    if (isAbandoned(renamed, path.join(renamed, 'owner.json'))) {
      fs.rmSync(renamed, { recursive: true, force: true });
    } else fs.renameSync(renamed, folder);
  } catch {
    // Another process was faster.
  }
}

function isAlive(pid) {
  if (typeof pid !== 'number') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Passes signals on to npm and keeps the first, so that the lock is released before we end. */
function guardSignals() {
  const guard = { signal: undefined, child: undefined, end: () => {} };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const note = (signal) => {
    guard.signal ??= signal;
    const child = guard.child;
    child?.kill(signal);
    // npm may wait for the network before it ends.
    setTimeout(() => child?.kill('SIGKILL'), npmEndMsMax).unref();
  };
  for (const name of names) process.on(name, note);
  guard.end = () => {
    for (const name of names) process.off(name, note);
  };
  return guard;
}

function versionOf(binary) {
  const answer = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim().replace(/^v/u, '') : undefined;
}

function say(text) {
  fs.writeSync(2, `millrace: ${text}\n`);
}
