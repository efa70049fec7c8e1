/** The checks of the gate for one order, in their order, with what they compared. */
import type { JSX } from 'preact';
import type { CheckVerdict } from '../../domain/check-verdict.ts';

export function GateTable({ checks }: { readonly checks: readonly CheckVerdict[] }): JSX.Element {
  return (
    <section class="table-box debug-checks" aria-label="Checks of the gate">
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Rule</th>
            <th scope="col">Observed</th>
            <th scope="col">Limit</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>{checks.map((check) => rowsOf(check))}</tbody>
      </table>
    </section>
  );
}

function rowsOf({ position, name, rules }: CheckVerdict): JSX.Element | JSX.Element[] {
  const title = `${position} ${name}`;
  if (rules.length === 0)
    return (
      <tr key={position} data-check={position} data-verdict="none">
        <th scope="row">{title}</th>
        <td colSpan={3} class="soft">
          no rule of it concerns this order
        </td>
        <td class="ink-good">✓</td>
      </tr>
    );
  return rules.map(({ code, observed, limit, unit, isPassed }, index) => (
    <tr
      key={`${position} ${index}`}
      class={isPassed ? '' : 'is-refused'}
      data-check={position}
      data-verdict={isPassed ? 'passes' : 'refuses'}
    >
      <th scope="row">{index === 0 ? title : ''}</th>
      <td class="debug-code">{code}</td>
      <td>{observed}</td>
      <td>
        {limit} <small class="soft">{unit}</small>
      </td>
      <td class={isPassed ? 'ink-good' : 'ink-bad'}>{isPassed ? '✓' : '✗ refuses'}</td>
    </tr>
  ));
}
