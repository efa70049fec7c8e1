/** Tabs over panels; arrow keys move between them. Only the chosen panel is there. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

export type Tab = {
  readonly key: string;
  readonly title: ComponentChildren;
  readonly panel: () => JSX.Element;
};

type TabsProps = { readonly name: string; readonly tabs: readonly Tab[] };

export function Tabs({ name, tabs }: TabsProps): JSX.Element {
  const chosenKey = useSignal(tabs[0]?.key ?? '');
  const id = useId();
  const index = Math.max(
    0,
    tabs.findIndex(({ key }) => key === chosenKey.value),
  );
  const chosen = tabs[index];
  const choose = (next: number, from: Element): void => {
    const place = (next + tabs.length) % tabs.length;
    chosenKey.value = tabs[place]?.key ?? '';
    const button = from.parentElement?.children[place];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <section class="card">
      <div role="tablist" aria-label={name} class="tabs">
        {tabs.map(({ key, title }, place) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={place === index}
            aria-controls={`${id}-panel`}
            tabIndex={place === index ? 0 : -1}
            data-tab={key}
            onClick={() => {
              chosenKey.value = key;
            }}
            onKeyDown={({ key: pressed, currentTarget }) => {
              if (pressed === 'ArrowRight') choose(index + 1, currentTarget);
              else if (pressed === 'ArrowLeft') choose(index - 1, currentTarget);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen?.key}`}
        data-panel={chosen?.key}
        key={chosen?.key}
      >
        {chosen?.panel()}
      </div>
    </section>
  );
}
