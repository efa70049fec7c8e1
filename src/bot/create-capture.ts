/** Creates the recorder of a bot's market streams. */
import { join } from 'node:path';
import type { EngineStart } from '../engine/engine-start.ts';
import { CaptureRecorder } from '../recording/capture/capture-recorder.ts';
import { createSecretFilter } from '../runtime/secret-filter.ts';
import { marketFramesOf } from '../venues.ts';
import type { BotOptions } from './bot-options.ts';

/** Largest size of one capture file of market streams. */
const captureFileBytes = 64 * 1_048_576;

/** Creates the capture recorder. A disk that fails stops the capture, but never the trading. */
export function createCapture(
  options: BotOptions,
  start: EngineStart,
  protocol: string,
): CaptureRecorder | undefined {
  const { capture, settings, credentials, clock, timers, onNotice } = options;
  if (capture.days === 0) return undefined;
  const secret = { id: credentials.keyId, secret: credentials.keySecret };
  const recorder = new CaptureRecorder({
    folder: join(options.home, 'captures'),
    name: settings.bot,
    begin: { venue: settings.venue, protocol, recorder: settings.bot },
    keep: capture,
    // Old captures are deleted as whole files, so a file must be a small part of the total.
    fileBytesMax: Math.min(captureFileBytes, capture.bytesMax / 4),
    hide: createSecretFilter([secret]),
    onFailure: ({ message }) =>
      onNotice({
        level: 'warn',
        topic: 'stream',
        text: `the capture of market streams has stopped: ${message}`,
      }),
    clock,
    timers,
    frames: marketFramesOf(protocol),
  });
  for (const { market } of [...start.markets, ...(start.watched ?? [])]) recorder.market(market);
  return recorder;
}
