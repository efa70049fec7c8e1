/** The tables of a result. A long one shows its first rows, and the others on demand. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PageRow, PageTable } from '../../backtest/report/page-data.ts';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { ValueText } from './value-text.tsx';

const rowsShown = 40;

type TablesProps = { readonly tables: readonly PageTable[] };

export function FigureTables({ tables }: TablesProps): JSX.Element {
  return (
    <div class="figure-tables">
      {tables.map((table) => (
        <FigureTable key={table.title} table={table} />
      ))}
    </div>
  );
}

function FigureTable({ table }: { readonly table: PageTable }): JSX.Element {
  const { title, columns, rows } = table;
  const isWhole = useSignal(rows.length <= rowsShown);
  const shown = isWhole.value ? rows : rows.slice(0, rowsShown);
  return (
    <div class={columns.length > 3 ? 'is-wide' : ''}>
      <Card title={title}>
        {rows.length === 0 ? <Empty>none</Empty> : <Rows table={{ ...table, rows: shown }} />}
        {!isWhole.value && (
          <button
            type="button"
            onClick={() => {
              isWhole.value = true;
            }}
          >
            Show all {rows.length} rows
          </button>
        )}
      </Card>
    </div>
  );
}

function Rows({ table }: { readonly table: PageTable }): JSX.Element {
  const { title, columns, rows } = table;
  if (columns.length > 0)
    return (
      <Table caption={title} columns={columnsOf(columns)} rows={rows} rowKey={({ name }) => name} />
    );
  return (
    <table class="figure-list" aria-label={title}>
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{values[0] !== undefined && <ValueText value={values[0]} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function columnsOf(columns: readonly string[]): readonly Column<PageRow>[] {
  return [
    { key: 'name', title: '', cell: ({ name }) => name, sortBy: ({ name }) => name },
    ...columns.map(
      (title, index): Column<PageRow> => ({
        key: String(index),
        title,
        isFigure: true,
        cell: ({ values }) => {
          const value = values[index];
          return value === undefined ? '' : <ValueText value={value} />;
        },
        sortBy: ({ values }) => values[index]?.exact ?? null,
      }),
    ),
  ];
}
