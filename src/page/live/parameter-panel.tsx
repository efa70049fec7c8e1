/** The parameters of strategies: what holds now, and what has changed. */
import type { JSX } from 'preact';
import type { BotStatus, ParameterState } from '../../domain/bot-status.ts';
import { Badge } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Table } from '../components/table.tsx';
import { dateTimeText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';
import type { CommandDraft } from './command-dialog.tsx';
import { allowedText, changeableOf } from './parameter-fields.tsx';

type PanelProps = {
  readonly status: BotStatus;
  readonly onCommand: ((draft: CommandDraft) => void) | undefined;
};

export function ParametersPanel({ status, onCommand }: PanelProps): JSX.Element {
  return (
    <Card
      title="Parameters"
      name="parameters"
      help="What each strategy runs with. A changed value holds until the next start, where the settings file decides."
    >
      {status.parameters.map((one) => (
        <section key={one.strategyId} data-strategy={one.strategyId}>
          <p>
            <b>{one.strategyId}</b>{' '}
            {onCommand !== undefined && changeableOf(one).length > 0 && (
              <button
                type="button"
                onClick={() => onCommand({ command: 'set', scope: `strategy:${one.strategyId}` })}
              >
                Set …
              </button>
            )}
          </p>
          <Table
            caption={`Parameters of ${one.strategyId}`}
            rows={one.parameters}
            rowKey={({ name }) => name}
            empty="It has no parameters."
            columns={[
              {
                key: 'name',
                title: 'Parameter',
                cell: ({ name, description }) => (
                  <span class="name" {...tipOf(description === '' ? name : description)}>
                    {name}
                  </span>
                ),
              },
              { key: 'value', title: 'Value', cell: (parameter) => <Value of={parameter} /> },
              { key: 'range', title: 'Allowed', cell: (parameter) => allowedText(parameter) },
            ]}
          />
        </section>
      ))}
    </Card>
  );
}

function Value({ of: { value, changed } }: { readonly of: ParameterState }): JSX.Element {
  if (changed === null) return <>{value}</>;
  const { was, atMs, by, reason } = changed;
  const who = by === '' ? '' : ` by ${by}`;
  return (
    <>
      {value}{' '}
      <Badge
        text="changed"
        tone="accent"
        tip={`${was} in the settings file. Set${who}, ${dateTimeText(atMs)} UTC: ${reason}`}
      />
    </>
  );
}
