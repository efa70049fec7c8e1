/**
 * Whether the packages of the lockfile are installed, and the Node to run with. The launcher asks
 * at every start, so this loads nothing that only an install needs.
 */
import fs from 'node:fs';
import path from 'node:path';
import { requireNode } from './node-problem.mjs';

export const windows = process.platform === 'win32';
/** The package that contains Node for this platform. */
const nodePlace = `node_modules/node-${windows ? 'win' : process.platform}-${process.arch}`;

/** A failure that the user can fix; `fix` says how. */
export class InstallError extends Error {
  constructor(message, fix) {
    super(message);
    this.fix = fix;
  }
}

/** A signal arrived while installing; npm has ended and the lock is released. */
export class InstallInterrupted extends Error {
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** Whether an install of this level is complete and up to date. */
export function isInstalled(root, level) {
  const stamp = readJson(stampPath(root));
  if (stamp?.wanted !== wantedOf(root) || (level === 'all' && stamp.level !== 'all')) return false;
  // Somebody has called npm since, which may have removed or replaced packages.
  if (changedMs(npmListPath(root)) > changedMs(stampPath(root))) return false;
  return stamp.isPinned === false || nodePackageOf(root) !== undefined;
}

function changedMs(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Returns the pinned Node of this platform, or the one that runs now if it is new enough. */
export function nodeOf(root) {
  if (readJson(stampPath(root))?.isPinned !== false) return binaryIn(nodePackageOf(root).folder);
  requireNode(nodeVersionMin(root));
  return process.execPath;
}

/** The oldest Node that can run Millrace by itself. */
export function nodeVersionMin(root) {
  return readJson(path.join(root, 'package.json')).engines.node.replace('>=', '');
}

/** The package that holds Node for this platform, if it is installed. */
export function nodePackageOf(root) {
  const folder = path.join(root, nodePlace);
  if (!fs.existsSync(binaryIn(folder))) return undefined;
  return { folder, version: readJson(path.join(folder, 'package.json'))?.version };
}

export function binaryIn(folder) {
  return path.join(folder, 'bin', windows ? 'node.exe' : 'node');
}

export function stampPath(root) {
  return path.join(root, 'node_modules', '.millrace-install');
}

/** npm's own list of what it has installed, which it writes last. */
export function npmListPath(root) {
  return path.join(root, 'node_modules', '.package-lock.json');
}

/**
 * Returns what the installed packages depend on, as text. Other changes of package.json need no
 * install.
 */
export function wantedOf(root) {
  const manifest = readJson(path.join(root, 'package.json')) ?? {};
  const lockfile = readText(path.join(root, 'package-lock.json'));
  if (lockfile === undefined) {
    throw new InstallError(
      `${path.join(root, 'package-lock.json')} is missing`,
      'restore it: git checkout package-lock.json',
    );
  }
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
  const wanted = [dependencies, devDependencies, optionalDependencies, overrides];
  return JSON.stringify([process.platform, process.arch, ...wanted, lockfile]);
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export function readJson(file) {
  try {
    return JSON.parse(readText(file) ?? '');
  } catch {
    return undefined;
  }
}
