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

type Ask = { readonly timesParts: boolean };

/**
 * Lets this process be asked; the channel does not keep it alive. `nextSpans` returns the spans so
 * far, and is given whether spans are measured from now on.
 */
export function answerMarks(nextSpans: (isOn: boolean) => Spans): void {
  process.on('message', ({ timesParts }: Ask) => {
    const { user, system } = process.cpuUsage();
    const residentMb = Math.round(process.memoryUsage.rss() / 1e6);
    const spans = nextSpans(timesParts);
    process.send?.({ cpuMicros: user + system, residentMb, spans } satisfies Mark);
  });
  process.channel?.unref();
}

/** `timesParts`: whether spans are measured until the next mark, which itself takes time. */
export async function markOf(child: ChildProcess, timesParts: boolean): Promise<Mark> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  child.send({ timesParts } satisfies Ask);
  const [mark] = await answered;
  return mark as Mark;
}
