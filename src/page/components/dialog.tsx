/** A dialog over the page. The browser keeps the focus in it; Escape and the button close it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** As wide as the page allows. */
  readonly isWide?: boolean;
};

/** It is open as long as it is rendered. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      class={`dialog ${isWide ? 'is-wide' : ''}`}
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        <div class="card-aside">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </header>
      {children}
    </dialog>
  );
}
