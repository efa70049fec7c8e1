/** How much of a run's time was recorded: the part of which shares and ratios are taken. */
import { timeText } from '../../recording/file/time-text.ts';
import type { RunRecorder } from './run-recorder.ts';

export type WatchedTime = {
  readonly seconds: number;
  /** The times that nobody recorded, and the longest of them. */
  readonly gaps: number;
  readonly gapSeconds: number;
  readonly longestGap: { readonly from: string; readonly to: string } | null;
};

export function watchedTimeOf({
  span,
  unwatched,
  watchedMicros,
}: Pick<RunRecorder, 'span' | 'unwatched' | 'watchedMicros'>): WatchedTime {
  const gaps = unwatched.all
    .filter(({ fromMicros }) => fromMicros < span.toMicros)
    // A gap may last until the end of the run, or longer.
    .map(({ fromMicros, toMicros }) => ({
      fromMicros,
      toMicros: Math.min(toMicros, span.toMicros),
    }));
  let longest = gaps[0];
  for (const gap of gaps)
    if (longest && gap.toMicros - gap.fromMicros > longest.toMicros - longest.fromMicros)
      longest = gap;
  return {
    seconds: watchedMicros / 1e6,
    gaps: gaps.length,
    gapSeconds: (span.toMicros - span.fromMicros - watchedMicros) / 1e6,
    longestGap: longest
      ? { from: timeText(longest.fromMicros), to: timeText(longest.toMicros) }
      : null,
  };
}

/** Returns the gaps as text; undefined without gaps. */
export function gapText({
  seconds,
  gaps,
  gapSeconds,
  longestGap,
}: WatchedTime): string | undefined {
  if (longestGap === null) return undefined;
  const share = ((gapSeconds / (seconds + gapSeconds)) * 100).toFixed(1);
  return `${gapSeconds} s (${share} %) in ${gaps} gap${gaps === 1 ? '' : 's'}, the longest from ${longestGap.from} to ${longestGap.to}`;
}

export function gapCautionsOf(time: WatchedTime): readonly string[] {
  const text = gapText(time);
  if (text === undefined) return [];
  return [
    `nobody recorded ${text}: shares, ratios and durations leave that out, and what was gained or lost meanwhile counts in the minute after it`,
  ];
}
