/**
 * Candles, drawn by lightweight-charts. That library is four times as large as everything else, so
 * it is loaded when the first candles are shown.
 */

import { useSignal } from '@preact/signals';
import type { CandlestickData, UTCTimestamp } from 'lightweight-charts';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { colourChanges, coloursAt } from '../browser/theme.ts';
import type { Candle } from './candle.ts';
import { Problem } from './states.tsx';

/** More candles than this make the library slow; show longer ones. */
const candlesMax = 10_000;

type CandlesProps = {
  readonly title: string;
  readonly candles: readonly Candle[];
  /** Decimals of a price. */
  readonly decimals: number;
  readonly height?: number;
};

type Library = Pick<typeof import('lightweight-charts'), 'createChart' | 'CandlestickSeries'>;

export function Candles({ title, candles, decimals, height = 300 }: CandlesProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const problem = useSignal<string | undefined>(undefined);
  const colours = colourChanges.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let end: (() => void) | undefined;
    let isEnded = false;
    loadLibrary().then(
      (library) => {
        if (!isEnded) end = draw(library, element, candles, decimals);
      },
      (error: unknown) => {
        problem.value = `Candles cannot be shown: ${String(error)}`;
      },
    );
    return () => {
      isEnded = true;
      end?.();
    };
  }, [candles, decimals, colours, problem]);
  return (
    <figure class="chart">
      <figcaption class="chart-readout">
        <b>{title}</b>
      </figcaption>
      {problem.value !== undefined && <Problem text={problem.value} />}
      <div class="candles" ref={place} style={{ height: `${height}px` }} />
      <small class="candles-notice">
        TradingView Lightweight Charts™ Copyright (c) TradingView, Inc.{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          www.tradingview.com
        </a>
      </small>
    </figure>
  );
}

/** From beside the page, or from the document itself if it is a single file. */
async function loadLibrary(): Promise<Library> {
  const code = document.getElementById('candles-code')?.textContent;
  if (code === undefined) return await import(new URL('candles.js', import.meta.url).href);
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function draw(
  { createChart, CandlestickSeries }: Library,
  element: HTMLElement,
  candles: readonly Candle[],
  decimals: number,
): () => void {
  const colourOf = coloursAt(element);
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      // Its logo needs a style element, which our content security policy forbids; the notice and
      // the link, which the licence asks for, stand below the chart.
      attributionLogo: false,
      background: { color: 'transparent' },
      textColor: colourOf('soft'),
      fontFamily: 'system-ui, sans-serif',
    },
    grid: { vertLines: { color: colourOf('line') }, horzLines: { color: colourOf('line') } },
    timeScale: { timeVisible: true, secondsVisible: false, borderColor: colourOf('line') },
    rightPriceScale: { borderColor: colourOf('line') },
  });
  const series = chart.addSeries(CandlestickSeries, {
    upColor: 'transparent',
    borderUpColor: colourOf('buy'),
    wickUpColor: colourOf('buy'),
    downColor: colourOf('sell'),
    borderDownColor: colourOf('sell'),
    wickDownColor: colourOf('sell'),
    priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
  });
  series.setData(candles.slice(-candlesMax).map(dataOf));
  chart.timeScale().fitContent();
  return () => chart.remove();
}

function dataOf({ startMs, ...prices }: Candle): CandlestickData {
  return { time: Math.floor(startMs / 1_000) as UTCTimestamp, ...prices };
}
