/** What stands in the place of content that is empty, not there yet, or failed. */
import type { ComponentChildren, JSX } from 'preact';

export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

export function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <p class="empty" aria-busy="true">
      Loading {what} …
    </p>
  );
}

type ProblemProps = {
  readonly text: string;
  /** Tries it again. */
  readonly onRetry?: () => void;
};

export function Problem({ text, onRetry }: ProblemProps): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
