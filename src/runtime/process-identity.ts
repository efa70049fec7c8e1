/** Identifies a process, since the system reuses process numbers. */
import { readFileSync } from 'node:fs';

/**
 * Returns the number and, on Linux, the start time of a process; undefined if it is not running.
 */
export function processIdentityOf(pid: number): string | undefined {
  // Field 22 is the start time; the name in field 2 may hold spaces and ends with the last bracket.
  const stat = readText(`/proc/${pid}/stat`);
  if (stat !== undefined) {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  }
  try {
    process.kill(pid, 0);
    return `${pid}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? `${pid}` : undefined;
  }
}

/** Returns the content of a file; undefined if it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
