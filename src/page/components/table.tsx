/**
 * A table whose columns sort by their heads, with mouse and keyboard. If rows can be opened, arrow
 * keys move between them and Enter opens one. On a narrow screen it scrolls sideways in its box.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, HTMLAttributes, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { drawn } from '../format/figures.ts';
import { tipOf } from '../format/tip.ts';
import { Empty } from './states.tsx';

export type Column<Row> = {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** What the column sorts by; decimal text sorts as a number. Absent: it does not sort. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** Figures stand at the end of their cell. */
  readonly isFigure?: boolean;
  /** Sentences, which may take several lines. */
  readonly isText?: boolean;
  readonly help?: string;
};

export type TableProps<Row> = {
  /** Says what the table shows, for readers of the screen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Makes rows open. */
  readonly onOpen?: (row: Row) => void;
  readonly empty?: string;
};

type Order = { readonly key: string; readonly isDescending: boolean };

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { caption, columns, rows, rowKey, onOpen, empty = 'None.' } = props;
  const order = useSignal<Order | undefined>(undefined);
  const sorted = useMemo(
    () => sortedRows(rows, columns, order.value),
    [rows, columns, order.value],
  );
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <section class="table-box" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.key}
                column={column}
                order={order.value}
                onSort={(next) => {
                  order.value = next;
                }}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={rowKey(row)} {...(onOpen === undefined ? {} : openable(() => onOpen(row)))}>
              {columns.map(({ key, cell, isFigure, isText }) => (
                <td key={key} class={isFigure ? 'is-figure' : isText ? 'is-text' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type HeadProps<Row> = {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
  readonly onSort: (order: Order | undefined) => void;
};

/** A first press sorts upwards, a second one downwards, a third one not at all. */
function Head<Row>({ column, order, onSort }: HeadProps<Row>): JSX.Element {
  const { key, title, sortBy, isFigure, help } = column;
  const own = order?.key === key ? order : undefined;
  const tip = help === undefined ? {} : { 'data-tip': help };
  const direction = own === undefined ? 'none' : own.isDescending ? 'descending' : 'ascending';
  const arrow = own === undefined ? '' : own.isDescending ? ' ▾' : ' ▴';
  const next = own === undefined ? { key, isDescending: false } : nextOf(own);
  const place = isFigure === true ? 'is-figure' : '';
  if (sortBy === undefined)
    return (
      <th scope="col" class={place} {...(help === undefined ? {} : tipOf(help))}>
        {title}
      </th>
    );
  return (
    <th scope="col" class={place} aria-sort={direction}>
      <button type="button" class="head" {...tip} onClick={() => onSort(next)}>
        {title}
        {arrow}
      </button>
    </th>
  );
}

function nextOf({ key, isDescending }: Order): Order | undefined {
  return isDescending ? undefined : { key, isDescending: true };
}

function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ key }) => key === order?.key)?.sortBy;
  if (order === undefined || sortBy === undefined) return rows;
  const direction = order.isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((a, b) => compare(a.value, b.value, direction))
    .map(({ row }) => row);
}

/** What is not known stands last, whatever the direction. */
function compare(a: string | number | null, b: string | number | null, direction: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const [x, y] = [typeof a === 'number' ? a : drawn(a), typeof b === 'number' ? b : drawn(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return direction * String(a).localeCompare(String(b));
  return direction * (x - y);
}

/** The attributes of a row that opens by click, Enter and blank; arrows go to the next row. */
function openable(open: () => void): HTMLAttributes<HTMLTableRowElement> {
  return {
    class: 'is-openable',
    tabIndex: 0,
    onClick: open,
    onKeyDown: (event) => {
      const row = event.currentTarget;
      if (event.target !== row) return;
      if (event.key === 'Enter' || event.key === ' ') open();
      else if (event.key === 'ArrowDown') focusOn(row.nextElementSibling);
      else if (event.key === 'ArrowUp') focusOn(row.previousElementSibling);
      else return;
      event.preventDefault();
    },
  };
}

function focusOn(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}
