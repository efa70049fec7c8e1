/**
 * The cache of the user stream. A client that reconnects within five minutes receives what it
 * missed.
 *
 * It is bounded by time, count and bytes. A client that is behind by more than the last two lacks
 * the oldest messages, as one does that stays away for more than five minutes.
 *
 * Invariant: what is kept depends only on the messages and on the time, not on how often the
 * exchange was advanced, so a replay of the log keeps the same.
 */

import { limits } from '../../api/limits.ts';
import { encodeUserFrame } from '../../api/user-messages.ts';
import type { User, UserMessageEntry } from './exchange-state.ts';
import type { OwnerMessage } from './owner-messages.ts';

/** A bot that uses all of its 300 calls a minute causes fewer than 6,000 messages in this time. */
export const userFeedBounds = { count: 20_000, bytes: 8_000_000 } as const;

/** Old messages are dropped together, at every whole multiple of this time. */
const stepMs = 30_000;

/** Adds a message to the user's cache, drops what exceeds its bounds, and returns the entry. */
export function cacheUserMessage(
  user: User,
  message: OwnerMessage,
  timeMs: number,
): UserMessageEntry {
  dropOldMessages(user, timeMs);
  const entry = { timeMs, frame: encodeUserFrame(message) };
  user.messages.push(entry);
  user.messageBytes += entry.frame.length;
  if (user.messages.length > userFeedBounds.count || user.messageBytes > userFeedBounds.bytes)
    // A tenth more than necessary, because each removal copies the rest.
    dropFirst(
      user,
      (left, bytes) => left <= 0.9 * userFeedBounds.count && bytes <= 0.9 * userFeedBounds.bytes,
    );
  return entry;
}

/** Drops the messages that are older than five minutes at the last whole half-minute. */
export function dropOldMessages(user: User, timeMs: number): void {
  const sinceMs = Math.floor(timeMs / stepMs) * stepMs - limits.userStreamCacheMs;
  const oldest = user.messages[0];
  if (oldest === undefined || oldest.timeMs >= sinceMs) return;
  dropFirst(user, (_left, _bytes, first) => first.timeMs >= sinceMs);
}

/** Drops the oldest messages until `isEnough` of what is left, or nothing is left. */
function dropFirst(
  user: User,
  isEnough: (left: number, bytes: number, first: UserMessageEntry) => boolean,
): void {
  let dropped = 0;
  for (const first of user.messages) {
    if (isEnough(user.messages.length - dropped, user.messageBytes, first)) break;
    user.messageBytes -= first.frame.length;
    dropped += 1;
  }
  user.messages = user.messages.slice(dropped);
}
