/** `millrace record`: records the market streams of some pairs as they are received. */

import { fetchMarkets } from '../../bot/start/market-start.ts';
import type { VenueSettings } from '../../domain/bot-settings.ts';
import { ConfigError, NotSentError } from '../../domain/errors.ts';
import { isLoopback } from '../../domain/this-machine.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { CaptureRecorder } from '../../recording/capture/capture-recorder.ts';
import { createClock } from '../../runtime/clock.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createSystemRandom } from '../../runtime/system-random.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { type CommandPlace, millraceCommand, quoted } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { connectVenue, marketFramesOf } from '../../venues.ts';
import { prepareWritableFolder } from '../writable-folder.ts';

export type RecordCommandOptions = {
  readonly pairs: readonly string[];
  /** The name of a file in `config/venues`. */
  readonly venue: string;
  /** Folder for the captures. */
  readonly folder: string;
  /** Stops after this many milliseconds; undefined records until stopped. */
  readonly forMs: number | undefined;
  readonly workspace: Workspace;
  readonly output: Output;
};

const progressEveryMs = 10_000;

/**
 * Records until the time is over or a signal stops it; returns the exit code: 1 if the disk failed,
 * an error was not caught, or nothing was received.
 */
export async function runRecordCommand(options: RecordCommandOptions): Promise<number> {
  const { output, folder, workspace } = options;
  const repeated = options.pairs.find((pair, index) => options.pairs.indexOf(pair) !== index);
  if (repeated !== undefined)
    throw new ConfigError(
      `pair ${repeated} is given twice, which would mix two streams in one capture: give each pair once`,
    );
  const venue = loadVenue(options.venue, workspace.venues);
  prepareWritableFolder(folder, 0o700);
  const [clock, timers, random] = [createClock(), createTimers(), createSystemRandom()];
  const connection = connectVenue({ venue, allow: ['markets'], timers });
  const { protocol } = connection.properties;
  const markets = await fetchMarkets(connection, options.pairs)
    .catch((error: unknown) => {
      throw withAdvice(error, venue, workspace);
    })
    .finally(() => connection.close());
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  let failure: string | undefined;
  const fatal = (error: unknown): void => {
    output.problem(error);
    failure ??= String(error);
    end('an uncaught error');
  };
  const recorder = new CaptureRecorder({
    folder,
    name: venue.name,
    begin: { venue: venue.name, protocol, recorder: 'record' },
    hide: (text) => text,
    onFailure: (error) => {
      failure = error.message;
      end('the disk failed');
    },
    clock,
    timers,
    frames: marketFramesOf(protocol),
  });
  for (const market of markets) recorder.market(market);
  const gaps = new Map<string, number>();
  const streams = markets.map(({ pair }) =>
    connection.marketStream({
      ...{ clock, random, pair },
      listener: {
        opened: () => recorder.opened(pair),
        closed: (reason) => {
          gaps.set(pair, (gaps.get(pair) ?? 0) + 1);
          recorder.closed(pair, reason);
          output.line(`! market stream of ${pair}: ${reason}`);
        },
        frame: (text, message) => recorder.frame(pair, text, message),
      },
    }),
  );
  for (const stream of streams) stream.start();
  output.line(`recording ${options.pairs.join(', ')} of ${venue.name} in ${folder}`);
  const cancels = [
    watchSignals({ stop: end, force: () => process.exit(1), fatal }),
    timers.every(progressEveryMs, () => output.line(`${recorder.frames} frames, ${recorder.path}`)),
  ];
  if (options.forMs !== undefined)
    cancels.push(timers.after(options.forMs, () => end('the time is over')));
  const reason = await ended;
  for (const cancel of cancels) cancel();
  await Promise.all(streams.map((stream) => stream.close()));
  await recorder.close();
  const { frames, path } = recorder;
  const ends = Object.fromEntries(gaps);
  output.result({ reason, frames, path, pairs: options.pairs, ends, failure: failure ?? null }, [
    `${frames} frames; ended: ${reason}`,
    `last file ${path}; to check it: ${millraceCommand(workspace, `verify ${quoted(path)}`)}`,
    ...(failure === undefined ? [] : [failure]),
  ]);
  return failure === undefined && frames > 0 ? exitCodes.ok : exitCodes.error;
}

/** Adds advice to an error: most likely the exchange was not started, or the venue is wrong. */
export function withAdvice(error: unknown, venue: VenueSettings, workspace: CommandPlace): unknown {
  if (!(error instanceof NotSentError)) return error;
  const start = isLoopback(venue)
    ? `to start one: ${millraceCommand(workspace, 'exchange')} ; or `
    : '';
  const text = `no exchange at ${venue.baseUrl}: ${error.message}; ${start}choose another with --venue, the name of a file in config/venues`;
  return new NotSentError(text, { cause: error });
}
