/** Types of `in-page.mjs`, whose functions run in the browser, where other types exist. */
export function backgroundColour(): string;
export function overflow(): number;
export function contrasts(): { readonly text: string; readonly ratio: number }[];
export function pictureOf(canvas: unknown): string;
export function drawnPixels(canvases: readonly unknown[]): number[];
export function focused(): string;
export function focusOutline(): string;
export function runningAnimations(): number;
export function namelessControls(): string[];
export function keptTexts(): string;
export function nextFrame(): Promise<void>;
export function firstPaintMs(): number;
export function changeStatus(pair: readonly [pattern: string, replacement: string]): void;
export function renderMarkup(): void;
export function connectOnce(): void;
export function widenPage(): void;
