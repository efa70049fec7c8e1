/** The page of a backtest. */
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { BacktestPageData, PageChart } from '../../backtest/report/page-data.ts';
import { type ChartLink, createChartLink } from '../chart/chart-link.ts';
import { ChartToolbar } from '../chart/chart-toolbar.tsx';
import { AppFrame } from '../components/app-frame.tsx';
import { durationText } from '../format/times.ts';
import { FigureTables } from './figure-tables.tsx';
import { keepView } from './kept-view.ts';
import { ResultCharts } from './result-charts.tsx';
import { Cards, Cautions, MarketPart } from './result-parts.tsx';

const hour = 3_600_000;
const lengths = [60_000, hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour];

export function linkOver(charts: readonly PageChart[]): ChartLink {
  const starts = charts.map(({ times }) => times[0] ?? 0);
  const ends = charts.map(({ times }) => times.at(-1) ?? 0);
  const fromMs = Math.min(...starts);
  return createChartLink({ fromMs, toMs: Math.max(fromMs + 1, ...ends) });
}

type BacktestPageProps = { readonly content: BacktestPageData };

export function BacktestPage({ content: data }: BacktestPageProps): JSX.Element {
  const { scenario, pairs, chart, markets, tables, printed, settings, notes } = data;
  const link = useMemo(() => linkOver(markets.map((market) => market.chart)), [markets]);
  useEffect(() => keepView(`millrace-view backtest ${scenario}`, link), [scenario, link]);
  const isNamed = markets.length > 1;
  const lines = [
    ...printed.lines,
    ...(printed.leftOut === 0 ? [] : [`${printed.leftOut} more lines are left out`]),
  ];
  return (
    <AppFrame title={`Backtest ${scenario}`} head={<span class="soft">{pairs.join(', ')}</span>}>
      <div class="stack result">
        <p class="soft">
          {data.rows} rows over {durationText(data.seconds * 1_000)}, from {data.from} to {data.to}.
          Result <code>{data.hash.slice(0, 16)}</code>, written by Millrace {data.program}.
        </p>
        <Cautions texts={data.cautions} />
        <Cards cards={data.cards} />
        <ChartToolbar link={link} lengths={lengths} />
        {chart !== undefined && (
          <section class="stack" aria-label="All markets">
            <h2 class="market-name">All markets</h2>
            <ResultCharts chart={chart} link={link} />
          </section>
        )}
        {markets.map((market) => (
          <MarketPart key={market.pair} market={market} link={link} isNamed={isNamed} />
        ))}
        <FigureTables tables={tables} />
        {lines.length > 0 && <Preformatted title="Printed by strategies" text={lines.join('\n')} />}
        <Preformatted title="Settings" text={settings} />
        <footer class="soft">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </footer>
      </div>
    </AppFrame>
  );
}

type PreformattedProps = { readonly title: string; readonly text: string };

function Preformatted({ title, text }: PreformattedProps): JSX.Element {
  return (
    <details>
      <summary>{title}</summary>
      <pre>{text}</pre>
    </details>
  );
}
