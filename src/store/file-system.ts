/**
 * Whether a file system is safe for a database. SQLite needs locks between processes and a sync
 * that reaches the disk; some file systems guarantee less or lose all files at a restart.
 */
import { statfsSync } from 'node:fs';

/** Unsafe file systems by their Linux `statfs` type. */
const unsafe: Readonly<Record<number, readonly [name: string, why: string]>> = {
  16914836: ['tmpfs', 'its files are lost when the machine restarts'],
  2240043254: ['ramfs', 'its files are lost when the machine restarts'],
  2035054128: ['overlay', 'if it is a layer of a container, it is deleted with the container'],
  26985: ['NFS', 'locks and syncs over a network are not reliable'],
  20859: ['SMB', 'locks and syncs over a network are not reliable'],
  4266872130: ['SMB2', 'locks and syncs over a network are not reliable'],
  4283649346: ['CIFS', 'locks and syncs over a network are not reliable'],
  16914839: ['9p', 'locks and syncs over a share are not reliable'],
  12805120: ['Ceph', 'locks and syncs over a network are not reliable'],
  1397113167: ['AFS', 'locks and syncs over a network are not reliable'],
  198183888: ['Lustre', 'locks and syncs over a network are not reliable'],
  1702057286: ['FUSE', 'the program behind it may not support locks and syncs'],
};

/**
 * Returns why the file system of `folder` is unsafe for a database, as a sentence; undefined if it
 * is not known to be unsafe. Works on Linux only.
 */
export function unsafeFolderReason(
  folder: string,
  typeOf: (folder: string) => number = (path) => statfsSync(path).type,
): string | undefined {
  if (process.platform !== 'linux') return undefined;
  // Some systems return a signed number.
  const found = unsafe[typeOf(folder) >>> 0];
  if (found === undefined) return undefined;
  const [name, why] = found;
  return `${folder} is on ${name}: ${why}`;
}
