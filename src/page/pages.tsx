/** The pages by their names. To add one, add a line. */
import type { ComponentType } from 'preact';
import { BacktestPage } from './backtest/backtest-page.tsx';
import { ComparisonPage } from './backtest/comparison-page.tsx';
import { DebugPage } from './debug/debug-page.tsx';
import { LivePage } from './live/live-page.tsx';

/** A page gets the JSON block of its document, and declares the type of it. */
export const pages: Readonly<Record<string, ComponentType<{ readonly content: never }>>> = {
  debug: DebugPage,
  live: LivePage,
  backtest: BacktestPage,
  comparison: ComparisonPage,
};
