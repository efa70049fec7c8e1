/**
 * Whether a file system keeps what it is told to keep. SQLite needs locks between processes and a
 * sync that reaches the disk; some file systems promise less, or forget everything.
 */
import { statfsSync } from 'node:fs';

/** The numbers by which Linux names them in `statfs`. */
const doubtful: Readonly<Record<number, readonly [name: string, why: string]>> = {
  16914836: ['tmpfs', 'it is gone when the machine restarts'],
  2240043254: ['ramfs', 'it is gone when the machine restarts'],
  2035054128: ['overlay', 'as a layer of a container it may go with the container'],
  26985: ['NFS', 'locks and syncs over a network are not to be relied on'],
  20859: ['SMB', 'locks and syncs over a network are not to be relied on'],
  4266872130: ['SMB2', 'locks and syncs over a network are not to be relied on'],
  4283649346: ['CIFS', 'locks and syncs over a network are not to be relied on'],
  16914839: ['9p', 'locks and syncs over a share are not to be relied on'],
  12805120: ['Ceph', 'locks and syncs over a network are not to be relied on'],
  1397113167: ['AFS', 'locks and syncs over a network are not to be relied on'],
  198183888: ['Lustre', 'locks and syncs over a network are not to be relied on'],
  1702057286: ['FUSE', 'what stands behind it may not lock or sync'],
};

/**
 * Returns what makes the file system of `folder` a doubtful place for a database, as a sentence, or
 * undefined if nothing is known against it. Knows the file systems of Linux.
 */
export function doubtAboutFolder(
  folder: string,
  typeOf: (folder: string) => number = (path) => statfsSync(path).type,
): string | undefined {
  if (process.platform !== 'linux') return undefined;
  // Some systems give the number as a signed one.
  const found = doubtful[typeOf(folder) >>> 0];
  if (found === undefined) return undefined;
  const [name, why] = found;
  return `${folder} is on ${name}: ${why}`;
}
