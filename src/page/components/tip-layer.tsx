/**
 * Shows the `data-tip` of the element that the pointer is over or that has the focus. One layer for
 * the whole page, so that no scrolling box cuts a tip off. Escape hides it.
 */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Tip = { readonly text: string; readonly beside: DOMRect };

const gap = 6;

export function TipLayer(): JSX.Element {
  const tip = useSignal<Tip | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const ends = new AbortController();
    const show = (event: Event): void => {
      const place = (event.target as Element | null)?.closest?.('[data-tip]');
      const text = place?.getAttribute('data-tip');
      tip.value =
        place === null || place === undefined || text === null || text === undefined || text === ''
          ? undefined
          : { text, beside: place.getBoundingClientRect() };
    };
    const hide = (): void => {
      tip.value = undefined;
    };
    const options = { signal: ends.signal, capture: true, passive: true };
    document.addEventListener('pointerover', show, options);
    document.addEventListener('focusin', show, options);
    document.addEventListener('focusout', hide, options);
    document.addEventListener('scroll', hide, options);
    document.addEventListener('keydown', (event) => event.key === 'Escape' && hide(), options);
    return () => ends.abort();
  }, [tip]);

  useEffect(() => {
    const [element, shown] = [box.current, tip.value];
    if (element === null || shown === undefined) return;
    const { beside } = shown;
    const { width, height } = element.getBoundingClientRect();
    const left = Math.min(beside.left, document.documentElement.clientWidth - width - gap);
    const isBelow = beside.top < height + gap;
    element.style.left = `${Math.max(gap, left)}px`;
    element.style.top = `${isBelow ? beside.bottom + gap : beside.top - height - gap}px`;
  });

  return (
    <div class={`tip ${tip.value === undefined ? '' : 'is-shown'}`} role="tooltip" ref={box}>
      {tip.value?.text}
    </div>
  );
}
