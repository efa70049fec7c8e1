/** Types of `result-in-page.mjs`, whose functions run in the browser, where other types exist. */
export function figureAt(
  place: readonly [title: string, row: string, column: number],
): string | null;
export function chartPictures(): string[];
export function foreignElements(): string[];
export function zoomMs(): Promise<number>;
export function usableMs(): Promise<number>;
export function changeTurnover(): void;
