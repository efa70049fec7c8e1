/** Which addresses are of this machine: only traffic within it may be unencrypted. */
import type { VenueSettings } from './bot-settings.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** Returns whether a URL's host name means this machine. */
export function isThisMachine(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Returns whether everything that a bot of `venue` sends stays on this machine. */
export function isLoopback(venue: Pick<VenueSettings, 'baseUrl' | 'streamUrl'>): boolean {
  return [venue.baseUrl, venue.streamUrl].every((url) => isThisMachine(new URL(url).hostname));
}
