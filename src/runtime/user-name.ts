/** The name of the system's user, for records of what a person did. */
import { userInfo } from 'node:os';

/** Returns the name; the number of a user without a name, as in some containers. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
