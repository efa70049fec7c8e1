/** The keys of the debug page; a field that is being edited keeps them. */
import type { MarkKind } from '../../bot/debug/event-facts.ts';
import type { DebugState } from './debug-state.ts';

/** Each goes to the next one, with Shift to the previous one. */
const letters: Readonly<Record<string, MarkKind>> = {
  d: 'decision',
  o: 'order',
  f: 'fill',
  r: 'refusal',
  i: 'incident',
};

/** What the keys do, for the page. */
export const keysText =
  '← → event, Shift with them: of the chosen kind; d decision, o order, f fill, r refusal, i incident, Shift with them: backwards; / jump';

/** Listens until the returned function is called. */
export function watchKeys(state: DebugState): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isEdited(event.target)) return;
    if (takes(event, state)) event.preventDefault();
  };
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}

function takes({ key, shiftKey }: KeyboardEvent, state: DebugState): boolean {
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const isBackward = key === 'ArrowLeft';
    if (shiftKey) state.find(state.kind.value, isBackward);
    else state.step(isBackward ? -1 : 1);
    return true;
  }
  if (key === '/') {
    const field = document.getElementById('jump');
    if (field instanceof HTMLInputElement) field.select();
    return true;
  }
  const kind = letters[key.toLowerCase()];
  if (kind !== undefined) state.find(kind, shiftKey);
  return kind !== undefined;
}

function isEdited(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}
