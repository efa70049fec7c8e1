/** Fields to set the parameters of a strategy that may change while the bot runs. */
import type { JSX } from 'preact';
import type { ParameterState, StrategyParameters } from '../../domain/bot-status.ts';

/** Returns what a parameter may be, in words. */
export function allowedText({ range, unit, mayChange }: ParameterState): string {
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
