/**
 * Reads secrets from a private file or from the environment.
 *
 * Invariant: no message here holds any part of a secret.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { ConfigError } from '../domain/errors.ts';

export type Environment = { readonly [name: string]: string | undefined };

const secretBytesMax = 4096;

/**
 * Returns the secret in the file that `NAME_FILE` names, else the value of `NAME`, else undefined.
 * The file must be a regular file owned by this user, with mode 0600 or stricter, and hold one
 * line; white space around it is removed. Throws ConfigError otherwise.
 */
export function readSecret(name: string, environment: Environment): string | undefined {
  const fileKey = `${name}_FILE`;
  const file = environment[fileKey];
  if (file !== undefined && file !== '') return checked(readPrivate(fileKey, file), fileKey);
  const value = environment[name];
  return value === undefined || value === '' ? undefined : checked(value, name);
}

function readPrivate(key: string, file: string): string {
  const descriptor = openFile(key, file);
  try {
    // Checks the open file, so that it cannot be replaced between the check and the read.
    const refusal = refusalOf(fstatSync(descriptor), file);
    if (refusal !== undefined) throw new ConfigError(`${key}: ${file} ${refusal}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function openFile(key: string, file: string): number {
  try {
    // Without O_NONBLOCK, opening a named pipe would hang.
    return openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new ConfigError(`${key}: ${file} cannot be read (${code})`, { cause });
  }
}

function refusalOf(stats: Stats, file: string): string | undefined {
  if (!stats.isFile()) return 'must be a regular file';
  if (stats.size > secretBytesMax) return `must not exceed ${secretBytesMax} bytes`;
  const userId = process.getuid?.();
  if (userId === undefined) return undefined; // Windows has no owners and modes of this kind.
  if (stats.uid !== userId) return `must be owned by user ${userId}, is owned by user ${stats.uid}`;
  if ((stats.mode & 0o077) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  return `must be readable by its owner only, has mode ${mode}; fix: chmod 600 ${file}`;
}

function checked(text: string, key: string): string {
  const secret = text.trim();
  if (secret === '') throw new ConfigError(`${key}: the secret is empty`);
  if (!/^\P{Cc}+$/u.test(secret)) {
    throw new ConfigError(`${key}: the secret must be one line without control characters`);
  }
  return secret;
}
