/** The five minutes of the user stream that a returning client gets again. */
import type { OwnerMessage } from '../../exchange-accounts/owner-messages.ts';
import { limits } from '../../exchange-api/limits.ts';
import { encodeUserFrame } from '../../exchange-api/user-messages.ts';
import type { User, UserMessageEntry } from './exchange-state.ts';

/** Writes a message into the user's cache, drops what is too old, and returns the entry. */
export function cacheUserMessage(
  user: User,
  message: OwnerMessage,
  timeMs: number,
): UserMessageEntry {
  const entry = { timeMs, frame: encodeUserFrame(message) };
  user.messages.push(entry);
  const oldest = user.messages[0];
  // Dropping one by one would copy the array each time; half a minute of slack makes it rare.
  if (oldest !== undefined && oldest.timeMs < timeMs - limits.userStreamCacheMs - 30_000)
    user.messages = user.messages.filter((one) => one.timeMs >= timeMs - limits.userStreamCacheMs);
  return entry;
}
