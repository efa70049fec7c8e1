/** Reads frames of the user stream as the stream's client does. */
import type { VenueReport } from '../../src/venue/venue-report.ts';
import { reportOf } from '../../src/venues/luno/adapter/decode-reports.ts';
import { decodeUserFrame } from '../../src/venues/luno/api/user-messages.ts';

/** Returns what a frame reports; undefined if it has no report. Throws DecodeError. */
export function reportIn(frame: string): VenueReport | undefined {
  const message = decodeUserFrame(frame);
  return message.kind === 'keep-alive' || message.kind === 'error' ? undefined : reportOf(message);
}
