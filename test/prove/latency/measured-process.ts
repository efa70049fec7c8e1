/** What a measured process answers when it is asked, and how it is asked: by a message `mark`. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Spans } from './span-log.ts';

export type Mark = {
  readonly cpuMicros: number;
  readonly residentMb: number;
  /** Since the last mark. */
  readonly spans: Spans;
};

/** Lets this process be asked; the channel does not keep it alive. */
export function answerMarks(takeSpans: () => Spans): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const residentMb = Math.round(process.memoryUsage.rss() / 1e6);
    process.send?.({ cpuMicros: user + system, residentMb, spans: takeSpans() } satisfies Mark);
  });
  process.channel?.unref();
}

export async function markOf(child: ChildProcess): Promise<Mark> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  child.send('mark');
  const [mark] = await answered;
  return mark as Mark;
}
