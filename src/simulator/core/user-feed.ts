/**
 * The cache of the user stream. A client that reconnects within five minutes receives what it
 * missed.
 */
import type { OwnerMessage } from '../../exchange-accounts/owner-messages.ts';
import { limits } from '../../exchange-api/limits.ts';
import { encodeUserFrame } from '../../exchange-api/user-messages.ts';
import type { User, UserMessageEntry } from './exchange-state.ts';

/** Adds a message to the user's cache, drops messages that are too old, and returns the entry. */
export function cacheUserMessage(
  user: User,
  message: OwnerMessage,
  timeMs: number,
): UserMessageEntry {
  const entry = { timeMs, frame: encodeUserFrame(message) };
  user.messages.push(entry);
  const oldest = user.messages[0];
  // Each removal copies the array; half a minute of slack makes removals rare.
  if (oldest !== undefined && oldest.timeMs < timeMs - limits.userStreamCacheMs - 30_000)
    user.messages = user.messages.filter(
      (sent) => sent.timeMs >= timeMs - limits.userStreamCacheMs,
    );
  return entry;
}
