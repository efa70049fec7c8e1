/** Reads something about the chosen bot for as long as a panel shows it. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { every } from '../browser/browser-time.ts';
import type { Reply } from '../browser/request.ts';

export type ReadState<Answer> = {
  readonly answer: Answer | undefined;
  readonly problem: string | undefined;
};

export type Reading<Answer> = {
  readonly state: ReadonlySignal<ReadState<Answer>>;
  readonly reload: () => void;
};

/**
 * Asks now, whenever `key` changes, and every `everyMs` while the page is in view. An answer stays
 * until the next one is there.
 */
export function useRead<Answer>(
  key: string,
  everyMs: number | undefined,
  ask: (signal: AbortSignal) => Promise<Reply<Answer>>,
): Reading<Answer> {
  const state = useSignal<ReadState<Answer>>({ answer: undefined, problem: undefined });
  const turn = useSignal(0);
  useEffect(() => {
    const ends = new AbortController();
    let isAsking = false;
    const load = async (): Promise<void> => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      const reply = await ask(ends.signal);
      isAsking = false;
      if (ends.signal.aborted) return;
      state.value = reply.isOk
        ? { answer: reply.answer, problem: undefined }
        : { answer: state.peek().answer, problem: reply.text };
    };
    void load();
    const endPolling = everyMs === undefined ? undefined : every(everyMs, () => void load());
    return () => {
      endPolling?.();
      ends.abort();
    };
  }, [key, everyMs, turn.value]);
  return {
    state,
    reload: () => {
      turn.value++;
    },
  };
}
