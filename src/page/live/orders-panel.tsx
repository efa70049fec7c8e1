/** Orders of all runs, newest first, page by page; a press on one shows its story. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { OrderListRow } from '../../dashboard/api/history-answers.ts';
import { Figure } from '../components/figure.tsx';
import { Loading, Problem } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { drawn, exactText } from '../format/figures.ts';
import { clockText } from '../format/times.ts';
import { read } from './live-api.ts';
import { timeColumn, tradedColumns } from './shared-columns.tsx';
import { useRead } from './use-read.ts';

type PanelProps = { readonly bot: string; readonly onOrder: (intentId: number) => void };

const pageSize = 50;
const everyMs = 3_000;
const states = [
  ...(['open', 'unknown', 'waiting', 'sending', 'completing'] as const),
  ...(['filled', 'cancelled', 'rejected', 'absent', 'unsent'] as const),
];

export function OrdersPanel({ bot, onOrder }: PanelProps): JSX.Element {
  const before = useSignal<readonly number[]>([]);
  const wanted = useSignal('');
  const query = {
    limit: pageSize,
    before: before.value.at(-1),
    state: wanted.value === '' ? undefined : wanted.value,
  };
  // Older pages do not change.
  const isNewest = before.value.length === 0;
  const reading = useRead(JSON.stringify([bot, query]), isNewest ? everyMs : undefined, (signal) =>
    read('orders', bot, query, signal),
  );
  const { answer, problem } = reading.state.value;
  return (
    <>
      <div class="panel-tools">
        <label>
          State{' '}
          <select
            value={wanted.value}
            onChange={({ currentTarget }) => {
              wanted.value = currentTarget.value;
              before.value = [];
            }}
          >
            <option value="">all</option>
            {states.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          disabled={isNewest}
          onClick={() => {
            before.value = before.value.slice(0, -1);
          }}
        >
          Newer
        </button>
        <button
          type="button"
          disabled={answer === undefined || answer.next === null}
          onClick={() => {
            if (answer !== undefined && answer.next !== null)
              before.value = [...before.value, answer.next];
          }}
        >
          Older
        </button>
      </div>
      {problem !== undefined && <Problem text={problem} onRetry={reading.reload} />}
      {answer === undefined && problem === undefined && <Loading what="orders" />}
      {answer !== undefined && (
        <Table
          caption="Orders"
          columns={columns}
          rows={answer.orders}
          rowKey={({ intentId }) => intentId}
          onOpen={({ intentId }) => onOrder(intentId)}
          empty="No orders yet."
        />
      )}
    </>
  );
}

/** The state, and of an order with conditions its stop and when it expires. */
function StateCell({ state, stop, expiresMs }: OrderListRow): JSX.Element {
  return (
    <>
      {state}
      {stop !== null && (
        <small class="soft">
          {' '}
          stop {stop.direction === 'ABOVE' ? '≥' : '≤'} {exactText(stop.price)}
        </small>
      )}
      {expiresMs !== null && <small class="soft"> expires {clockText(expiresMs)}</small>}
    </>
  );
}

const columns: readonly Column<OrderListRow>[] = [
  timeColumn(({ createdMs }) => createdMs),
  {
    key: 'intent',
    title: 'Order',
    cell: ({ intentId }) => intentId,
    sortBy: ({ intentId }) => intentId,
  },
  {
    key: 'strategy',
    title: 'Strategy',
    cell: ({ strategyId }) => strategyId,
    sortBy: ({ strategyId }) => strategyId,
  },
  ...tradedColumns,
  {
    key: 'filled',
    title: 'Filled',
    isFigure: true,
    cell: ({ filled, volume }) => (
      <span class={drawn(filled) > 0 ? 'ink-good' : 'soft'}>
        <Figure value={filled} decimals={6} note={`of ${volume}`} />
      </span>
    ),
    sortBy: ({ filled }) => filled,
  },
  { key: 'state', title: 'State', cell: StateCell, sortBy: ({ state }) => state },
  { key: 'reason', isText: true, title: 'Reason', cell: ({ reason }) => reason },
];
