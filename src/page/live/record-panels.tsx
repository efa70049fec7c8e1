/** What the store and the log have of the past: fills, incidents, commands, days, lines. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { DaysAnswer } from '../../dashboard/api/history-answers.ts';
import type { DatedNotice, FillState } from '../../domain/bot-status.ts';
import type { Reply } from '../browser/request.ts';
import { Badge } from '../components/badge.tsx';
import { Figure } from '../components/figure.tsx';
import { Empty, Loading, Problem } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { read } from './live-api.ts';
import { timeColumn, tradedColumns } from './shared-columns.tsx';
import { useRead } from './use-read.ts';

type BotProps = { readonly bot: string };

type ReadTableProps<Answer, Row> = {
  readonly what: string;
  /** What it reads again for when it changes. */
  readonly of: string;
  readonly everyMs: number;
  readonly ask: (signal: AbortSignal) => Promise<Reply<Answer>>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
  readonly empty: string;
};

/** A table of what the server answers, with its loading and its problem. */
function ReadTable<Answer, Row>(props: ReadTableProps<Answer, Row>): JSX.Element {
  const { what, of, everyMs, ask, rowsOf, rowKey, columns, empty } = props;
  const reading = useRead(`${what} ${of}`, everyMs, ask);
  const { answer, problem } = reading.state.value;
  if (answer === undefined)
    return problem === undefined ? (
      <Loading what={what} />
    ) : (
      <Problem text={problem} onRetry={reading.reload} />
    );
  return (
    <>
      {problem !== undefined && <Problem text={problem} onRetry={reading.reload} />}
      <Table caption={what} rows={rowsOf(answer)} rowKey={rowKey} columns={columns} empty={empty} />
    </>
  );
}

type FillsProps = {
  readonly fills: readonly FillState[];
  readonly onOrder: (intentId: number) => void;
};

export function FillsPanel({ fills, onOrder }: FillsProps): JSX.Element {
  return (
    <Table
      caption="Newest fills"
      rows={fills}
      rowKey={(fill) => `${fill.intentId} ${fill.tradedMs} ${fill.volume} ${fill.price}`}
      onOpen={({ intentId }) => onOrder(intentId)}
      empty="No fills yet."
      columns={[
        timeColumn<FillState>(({ tradedMs }) => tradedMs),
        ...tradedColumns,
        {
          key: 'fee',
          title: 'Fee',
          isFigure: true,
          cell: ({ fee, feeCurrency }) => <Figure value={fee} decimals={6} unit={feeCurrency} />,
        },
        { key: 'role', title: 'As', cell: ({ isMaker }) => (isMaker ? 'maker' : 'taker') },
        { key: 'strategy', title: 'Strategy', cell: ({ strategyId }) => strategyId },
        { key: 'order', title: 'Order', cell: ({ intentId }) => intentId },
      ]}
    />
  );
}

export function IncidentsPanel({ bot }: BotProps): JSX.Element {
  return (
    <ReadTable
      what="Incidents"
      of={bot}
      everyMs={5_000}
      ask={(signal) => read('incidents', bot, { limit: 100 }, signal)}
      rowsOf={({ incidents }) => incidents}
      rowKey={({ id }) => id}
      empty="No incidents."
      columns={[
        timeColumn<{ readonly atMs: number }>(({ atMs }) => atMs),
        {
          key: 'code',
          title: 'Code',
          cell: ({ code }) => <code>{code}</code>,
          sortBy: ({ code }) => code,
        },
        { key: 'text', isText: true, title: 'What happened', cell: ({ text }) => text },
      ]}
    />
  );
}

export function CommandsPanel({ bot }: BotProps): JSX.Element {
  return (
    <ReadTable
      what="Operators’ commands"
      of={bot}
      everyMs={5_000}
      ask={(signal) => read('commands', bot, { limit: 100 }, signal)}
      rowsOf={({ commands }) => commands}
      rowKey={({ id }) => id}
      empty="No commands."
      columns={[
        timeColumn<{ readonly atMs: number }>(({ atMs }) => atMs),
        { key: 'by', title: 'By', cell: ({ by }) => by, sortBy: ({ by }) => by },
        {
          key: 'command',
          title: 'Command',
          cell: ({ command }) => command,
          sortBy: ({ command }) => command,
        },
        { key: 'scope', title: 'Scope', cell: ({ scope }) => scope ?? '–' },
        { key: 'reason', isText: true, title: 'Reason', cell: ({ reason }) => reason },
        {
          key: 'answer',
          isText: true,
          title: 'Answer',
          cell: ({ outcome, text }) => (
            <>
              <Badge text={outcome} tone={outcome === 'done' ? 'plain' : 'warn'} /> {text}
            </>
          ),
        },
      ]}
    />
  );
}

type Day = DaysAnswer['days'][number];

export function DaysPanel({ bot, pair }: BotProps & { readonly pair: string }): JSX.Element {
  const figure = (
    key: keyof Day,
    title: string,
    decimals: number,
    isGain = false,
  ): Column<Day> => ({
    key,
    title,
    isFigure: true,
    cell: (day) => <Figure value={day[key]} decimals={decimals} isGain={isGain} />,
    sortBy: (day) => day[key],
  });
  return (
    <ReadTable
      what={`Days of ${pair}`}
      of={`${bot} ${pair}`}
      everyMs={60_000}
      ask={(signal) => read('days', bot, { pair }, signal)}
      rowsOf={({ days }) => [...days].reverse()}
      rowKey={({ day }) => day}
      empty="No day has fills."
      columns={[
        {
          key: 'day',
          title: 'Day (UTC)',
          cell: ({ day }) => day,
          sortBy: ({ day }) => Date.parse(day),
        },
        figure('profit', 'Profit', 2, true),
        figure('fills', 'Fills', 0),
        figure('base', 'Volume', 6),
        figure('turnover', 'Turnover', 2),
        figure('feeBase', 'Fees (base)', 8),
        figure('feeCounter', 'Fees (counter)', 2),
        figure('position', 'Position at its end', 6),
      ]}
    />
  );
}

const levelTones = { info: 'plain', warn: 'warn', alarm: 'alarm' } as const;

/** What the bot reports to people, newest first, and what strategies say. */
export function NoticesPanel({
  notices,
}: {
  readonly notices: readonly DatedNotice[];
}): JSX.Element {
  const topic = useSignal('');
  const topics = [...new Set(notices.map((one) => one.topic))].sort();
  const shown = notices.filter((one) => topic.value === '' || one.topic === topic.value);
  return (
    <>
      <div class="panel-tools">
        <label>
          Topic{' '}
          <select
            value={topic.value}
            onChange={({ currentTarget }) => {
              topic.value = currentTarget.value;
            }}
          >
            <option value="">all</option>
            {topics.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <Table
        caption="Notices"
        rows={shown}
        rowKey={(one) => shown.indexOf(one)}
        empty="Nothing was reported yet."
        columns={[
          timeColumn<DatedNotice>(({ atMs }) => atMs),
          {
            key: 'level',
            title: 'Level',
            cell: ({ level }) => <Badge text={level} tone={levelTones[level]} />,
          },
          { key: 'topic', title: 'Topic', cell: ({ topic: name }) => name },
          { key: 'text', isText: true, title: 'Text', cell: ({ text }) => text },
        ]}
      />
    </>
  );
}

export function LogPanel({ bot }: BotProps): JSX.Element {
  const level = useSignal('info');
  return (
    <>
      <div class="panel-tools">
        <label>
          From level{' '}
          <select
            value={level.value}
            onChange={({ currentTarget }) => {
              level.value = currentTarget.value;
            }}
          >
            <option>info</option>
            <option>warn</option>
            <option>error</option>
          </select>
        </label>
      </div>
      <ReadTable
        what="Log"
        of={`${bot} ${level.value}`}
        everyMs={5_000}
        ask={(signal) => read('log', bot, { level: level.value, limit: 200 }, signal)}
        rowsOf={({ lines }) => lines.map((line, index) => ({ ...line, index }))}
        rowKey={({ index }) => index}
        empty="The log has no such lines."
        columns={[
          timeColumn<{ readonly atMs: number }>(({ atMs }) => atMs),
          { key: 'level', title: 'Level', cell: ({ level: name }) => name },
          { key: 'topic', title: 'Topic', cell: ({ topic }) => topic ?? '' },
          { key: 'text', isText: true, title: 'Text', cell: ({ text }) => text },
        ]}
      />
    </>
  );
}

/** What each strategy says of itself; metrics of strategies join it. */
export function NotesPanel({
  strategies,
}: {
  readonly strategies: readonly { strategyId: string; pair: string; note: string | null }[];
}): JSX.Element {
  const notes = strategies.filter(({ note }) => note !== null);
  if (notes.length === 0) return <Empty>No strategy says anything.</Empty>;
  return (
    <dl class="notes">
      {notes.map(({ strategyId, pair, note }) => (
        <div key={`${strategyId} ${pair}`}>
          <dt>
            {strategyId} <span class="soft">{pair}</span>
          </dt>
          <dd>{note}</dd>
        </div>
      ))}
    </dl>
  );
}
