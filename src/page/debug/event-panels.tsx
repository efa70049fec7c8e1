/** One event: what reached the engine, what strategies were given and asked for, what followed. */
import type { JSX } from 'preact';
import type { EventFacts, Happening, JudgedOrder } from '../../bot/debug/event-facts.ts';
import { Badge, SideText } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { exactText } from '../format/figures.ts';
import { GateTable } from './gate-table.tsx';

type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>;

export function EventPanels({ facts }: { readonly facts: EventFacts }): JSX.Element {
  const { number, time, text, input, happenings } = facts;
  const of = <Kind extends Happening['kind']>(kind: Kind): readonly Of<Kind>[] =>
    happenings.filter((one): one is Of<Kind> => one.kind === kind);
  return (
    <div class="stack">
      <Card title={`Event ${number}`} name="event" aside={<time>{time}</time>}>
        <p class="debug-text">{text}</p>
        <Raw value={input} />
      </Card>
      <Card
        title="Strategies"
        name="strategies"
        help="What ran code of a strategy at this event, and what it asked for."
      >
        <Lines
          lines={happenings.filter((one) => one.kind === 'given' || one.kind === 'emitted')}
          empty="No code of a strategy ran."
        />
      </Card>
      <Card
        title="Gate"
        name="gate"
        help="Each order that was judged, and each check in the order of the gate, with the values that it compared."
      >
        {of('judged').map((order, index) => (
          // The orders of an event never change.
          <Judged key={index} order={order} />
        ))}
        {of('judged').length === 0 && <p class="empty">No order was judged.</p>}
      </Card>
      <Card title="What left" name="left" help="Requests to the exchange, after the commit.">
        <Lines lines={of('left')} empty="Nothing left." />
      </Card>
      <Card title="Stored and said" name="stored" help="Records for the database, and lines.">
        <Lines
          lines={happenings.filter((one) => one.kind === 'stored' || one.kind === 'said')}
          empty="Nothing."
        />
      </Card>
    </div>
  );
}

function Judged({ order }: { readonly order: JudgedOrder }): JSX.Element {
  const { strategyId, name, side, volume, price, pair, isApproved, reason, checks } = order;
  const verdict = isApproved ? 'approved' : 'refused';
  return (
    <div class="debug-judged">
      <p>
        <Badge text={verdict} tone={isApproved ? 'good' : 'alarm'} /> <b>{strategyId}</b> {name}{' '}
        <SideText side={side} /> {exactText(volume)} {pair} at {exactText(price)}{' '}
        <span class="soft">{reason}</span>
      </p>
      <GateTable checks={checks} />
    </div>
  );
}

type Line = Exclude<Happening, JudgedOrder>;
type LinesProps = { readonly lines: readonly Line[]; readonly empty: string };

function Lines({ lines, empty }: LinesProps): JSX.Element {
  if (lines.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class="debug-lines">
      {lines.map((line, index) => (
        // The lines of an event never change.
        <li key={index} data-kind={line.kind}>
          <Badge text={nameOf(line)} /> {'strategyId' in line && <b>{line.strategyId} </b>}
          <span>{line.text}</span>
          {line.kind === 'emitted' && line.isRepeated && <span class="soft"> as before</span>}
          <Raw value={detailOf(line)} />
        </li>
      ))}
    </ul>
  );
}

function nameOf(line: Line): string {
  if (line.kind === 'stored') return line.record;
  return line.kind === 'left' ? line.operation : line.kind;
}

function detailOf(line: Line): unknown {
  if (line.kind === 'stored') return line.value;
  if (line.kind === 'left') return line.parameters;
  return line.kind === 'emitted' ? line.intent : undefined;
}

/** The exact values, for whoever opens them. */
function Raw({ value }: { readonly value: unknown }): JSX.Element | null {
  if (value === undefined || value === null) return null;
  return (
    <details class="debug-raw">
      <summary>values</summary>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
