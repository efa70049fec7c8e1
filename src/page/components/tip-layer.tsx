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
    const showTipOf = (element: Element | null): void => {
      const place = element?.closest('[data-tip]') ?? null;
      const text = place?.getAttribute('data-tip') ?? '';
      const isShown = place !== null && text !== '';
      tip.value = isShown ? { text, beside: place.getBoundingClientRect() } : undefined;
    };
    const show = ({ target }: Event): void => {
      showTipOf(target instanceof Element ? target : null);
    };
    const hide = (): void => {
      tip.value = undefined;
    };
    // The focus may scroll its element into view; then the tip goes with it.
    const follow = (): void => {
      if (tip.peek() !== undefined) showTipOf(document.activeElement);
    };
    const options = { signal: ends.signal, capture: true, passive: true };
    document.addEventListener('pointerover', show, options);
    document.addEventListener('focusin', show, options);
    document.addEventListener('focusout', hide, options);
    document.addEventListener('scroll', follow, options);
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
