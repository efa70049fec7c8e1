/** The parameters of strategies: what holds now, what has changed, and fields to set them. */
import type { JSX } from 'preact';
import type { BotStatus, ParameterState, StrategyParameters } from '../../domain/bot-status.ts';
import { Badge } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Table } from '../components/table.tsx';
import { dateTimeText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';
import type { CommandDraft } from './command-dialog.tsx';

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

function allowedText({ range, unit, mayChange }: ParameterState): string {
  const text = [range, unit].filter((part) => part !== null).join(' ');
  return mayChange ? text : [text, 'fixed while it runs'].filter((part) => part !== '').join('; ');
}

/** Returns the parameters that may be set while the bot runs. */
export function changeableOf({ parameters }: StrategyParameters): readonly ParameterState[] {
  return parameters.filter(({ mayChange }) => mayChange);
}

/** Returns what was typed for a strategy's parameters and differs from what holds. */
export function newValuesOf(
  strategy: StrategyParameters | undefined,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const changed = (strategy === undefined ? [] : changeableOf(strategy)).flatMap(
    ({ name, value }) => {
      const text = typed[name]?.trim() ?? '';
      return text === '' || text === value ? [] : [[name, text] as const];
    },
  );
  return Object.fromEntries(changed);
}

type FieldsProps = {
  readonly strategy: StrategyParameters | undefined;
  readonly typed: Readonly<Record<string, string>>;
  readonly onType: (name: string, text: string) => void;
};

export function ParameterFields({ strategy, typed, onType }: FieldsProps): JSX.Element {
  if (strategy === undefined)
    return <p>No strategy has a parameter that may change while the bot runs.</p>;
  return (
    <>
      {changeableOf(strategy).map((parameter) => (
        <label key={parameter.name}>
          {parameter.name} <span class="soft">{allowedText(parameter)}</span>
          <input
            name={parameter.name}
            maxLength={100}
            autoComplete="off"
            value={typed[parameter.name] ?? parameter.value}
            onInput={({ currentTarget }) => onType(parameter.name, currentTarget.value)}
          />
        </label>
      ))}
    </>
  );
}
