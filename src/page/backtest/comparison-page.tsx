/** Two results of backtests on one page: overlaid, side by side, and the differences of figures. */
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type {
  ComparedResult,
  ComparisonPageData,
  PageMarket,
} from '../../backtest/report/page-data.ts';
import type { ChartLink } from '../chart/chart-link.ts';
import { ChartToolbar } from '../chart/chart-toolbar.tsx';
import { AppFrame } from '../components/app-frame.tsx';
import { linkOver } from './backtest-page.tsx';
import { drawnMarksOf } from './drawn-marks.ts';
import { FigureTables } from './figure-tables.tsx';
import { keepView } from './kept-view.ts';
import { ResultCharts } from './result-charts.tsx';
import { Cards, Cautions } from './result-parts.tsx';

type ComparisonPageProps = { readonly content: ComparisonPageData };

export function ComparisonPage({ content }: ComparisonPageProps): JSX.Element {
  const { a, b, notes, overlays, tables } = content;
  const overlay = useMemo(() => linkOver(overlays.map(({ chart }) => chart)), [overlays]);
  const isSinceStart = overlays.some(({ chart }) => chart.isSinceStart === true);
  // Results of other times are linked only within themselves.
  const [linkA, linkB] = useMemo(() => {
    const own = (result: ComparedResult) => linkOver(result.markets.map(({ chart }) => chart));
    return isSinceStart ? [own(a), own(b)] : [overlay, overlay];
  }, [a, b, overlay, isSinceStart]);
  useEffect(
    () => keepView(`millrace-view comparison ${a.hash} ${b.hash}`, overlay),
    [a, b, overlay],
  );
  return (
    <AppFrame title={`A: ${a.scenario}, B: ${b.scenario}`}>
      <div class="stack result">
        <Cautions texts={notes} />
        <ChartToolbar link={overlay} />
        {isSinceStart && (
          <p class="soft">The charts of both have times since the start of each run.</p>
        )}
        {overlays.map(({ title, chart }) => (
          <section key={title} class="stack" aria-label={title} data-overlay={title}>
            <h2 class="market-name">{title}</h2>
            <ResultCharts chart={chart} link={overlay} />
          </section>
        ))}
        <div class="beside">
          <Side name="A" result={a} link={linkA} />
          <Side name="B" result={b} link={linkB} />
        </div>
        <FigureTables tables={tables} />
      </div>
    </AppFrame>
  );
}

type SideProps = {
  readonly name: 'A' | 'B';
  readonly result: ComparedResult;
  readonly link: ChartLink;
};

function Side({ name, result, link }: SideProps): JSX.Element {
  const { scenario, hash, from, to, cautions, cards, markets } = result;
  return (
    <section class="stack" aria-label={name} data-side={name}>
      <h2 class="market-name">
        {name}: {scenario} <code>{hash.slice(0, 16)}</code>
      </h2>
      <p class="soft">
        {from} to {to}
      </p>
      <Cautions texts={cautions} />
      <Cards cards={cards} />
      {markets.map((market) => (
        <SideMarket key={market.pair} market={market} link={link} isNamed={markets.length > 1} />
      ))}
    </section>
  );
}

type SideMarketProps = {
  readonly market: PageMarket;
  readonly link: ChartLink;
  readonly isNamed: boolean;
};

function SideMarket({ market, link, isNamed }: SideMarketProps): JSX.Element {
  const { pair, cautions, cards, chart } = market;
  const marks = useMemo(() => drawnMarksOf(market), [market]);
  const prices = useMemo(() => ({ ...chart, panes: chart.panes.slice(0, 1) }), [chart]);
  return (
    <>
      {isNamed && <h3>{pair}</h3>}
      <Cautions texts={cautions} />
      <Cards cards={cards} />
      <ResultCharts chart={prices} link={link} marks={marks} />
    </>
  );
}
