/** Dark or light, as the system says or as the user chose; and the colours for canvases. */
import { signal } from '@preact/signals';
import type { Ink } from '../format/ink.ts';
import { keepText, keptText } from './kept-text.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'millrace-theme';

/** What the user chose. */
export const theme = signal<Theme>(
  themes.find((one) => one === keptText('browser', key)) ?? 'system',
);

/** Counts changes of the colours, by the user or by the system; canvases are drawn again then. */
export const colourChanges = signal(0);

/** Shows the theme, and follows the system while nothing else was chosen. */
export function startTheme(): void {
  show(theme.value);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    colourChanges.value++;
  });
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  keepText('browser', key, chosen === 'system' ? undefined : chosen);
  show(chosen);
  colourChanges.value++;
}

function show(chosen: Theme): void {
  const { dataset } = document.documentElement;
  if (chosen === 'system') delete dataset['theme'];
  else dataset['theme'] = chosen;
}

/** Returns the present colours for a canvas, which cannot use the variables of a style sheet. */
export function coloursAt(place: Element): (ink: Ink) => string {
  const known = new Map<Ink, string>();
  return (ink) => {
    const colour = known.get(ink) ?? colourAt(place, ink);
    known.set(ink, colour);
    return colour;
  };
}

function colourAt(place: Element, ink: Ink): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${ink})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
