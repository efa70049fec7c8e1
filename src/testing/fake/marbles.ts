/** Reads the marbles of a test with RxJS's own parser. */
import { TestScheduler } from 'rxjs/testing';
import { ConfigError } from '../../domain/errors.ts';
import type { Marbles } from './fake-options.ts';

export type Timeline<Value> = {
  readonly events: readonly { readonly atMs: number; readonly value: Value }[];
  /** When the diagram ends, after the start. */
  readonly endMs: number;
};

/**
 * Returns the events with their times after the start. Throws {@link ConfigError} for a diagram
 * that cannot be read, or a letter without a value. `what` names the diagram in messages.
 */
export function timelineOf<Value>(
  what: string,
  marbles: Marbles<Value> | undefined,
  frameMs: number,
): Timeline<Value> {
  if (marbles === undefined) return { events: [], endMs: 0 };
  const [diagram, values = {}] = marbles;
  const refuse = (problem: string): never => {
    throw new ConfigError(`fakeContext: ${what}: the marbles "${diagram}" ${problem}`);
  };
  if (/[|#^!]/u.test(diagram)) refuse('have |, #, ^ or !, which a market has no use for');
  const events: { readonly atMs: number; readonly value: Value }[] = [];
  let endMs = 0;
  for (const { frame, notification } of framesOf(diagram, frameMs, refuse)) {
    if (notification.kind === 'C') endMs = frame;
    if (notification.kind !== 'N') continue;
    const letter = String(notification.value);
    if (!Object.hasOwn(values, letter))
      refuse(
        `have "${letter}", which has no value; there are ${Object.keys(values).join(', ') || 'none'}`,
      );
    events.push({ atMs: frame, value: values[letter] as Value });
  }
  return { events, endMs };
}

function framesOf(diagram: string, frameMs: number, refuse: (problem: string) => never) {
  // RxJS keeps the length of a character in a global place. The mark at the end tells the length.
  const before = TestScheduler.frameTimeFactor;
  TestScheduler.frameTimeFactor = frameMs;
  try {
    return TestScheduler.parseMarbles(`${diagram} |`, undefined, undefined, false, true);
  } catch (error) {
    return refuse(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    TestScheduler.frameTimeFactor = before;
  }
}
