/** The parts of a result's page: cautions, figures, a market with its charts and tables. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PageCard, PageMarket } from '../../backtest/report/page-data.ts';
import type { ChartLink } from '../chart/chart-link.ts';
import { Fact, Facts } from '../components/card.tsx';
import { drawnMarksOf, leftOutText } from './drawn-marks.ts';
import { FigureTables } from './figure-tables.tsx';
import { ResultCharts } from './result-charts.tsx';
import { ValueText } from './value-text.tsx';

export function Cautions({ texts }: { readonly texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <ul class="cautions">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

export function Cards({ cards }: { readonly cards: readonly PageCard[] }): JSX.Element | null {
  if (cards.length === 0) return null;
  return (
    <section class="card result-cards">
      <Facts>
        {cards.map(({ name, value, isGain = false }) => (
          <Fact key={name} name={name}>
            <ValueText value={value} isGain={isGain} />
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

type MarketProps = {
  readonly market: PageMarket;
  readonly link: ChartLink;
  /** Of one market alone, the title of the page says which one it is. */
  readonly isNamed: boolean;
};

export function MarketPart({ market, link, isNamed }: MarketProps): JSX.Element {
  const { pair, cautions, cards, chart, tables } = market;
  const marks = useMemo(() => drawnMarksOf(market), [market]);
  const leftOut = leftOutText(market.marks);
  return (
    <section class="stack" aria-label={pair} data-market={pair}>
      {isNamed && <h2 class="market-name">{pair}</h2>}
      <CoarseRules market={market} />
      <Cautions texts={cautions} />
      <Cards cards={cards} />
      <ResultCharts chart={chart} link={link} marks={marks} />
      {leftOut !== undefined && <p class="soft">{leftOut}</p>}
      <FigureTables tables={tables} />
    </section>
  );
}

/** How fills over coarse data were decided; before everything else of the market. */
function CoarseRules({ market: { coarse } }: Pick<MarketProps, 'market'>): JSX.Element | null {
  if (coarse === undefined) return null;
  return (
    <section class="coarse">
      <h3>Coarse data: {coarse.grade}</h3>
      <p>{coarse.caution.charAt(0).toUpperCase() + coarse.caution.slice(1)}.</p>
      <ul>
        {coarse.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </section>
  );
}
