/** The feeds of a bot: the last values of each, and why one has none that can be used. */
import type { JSX } from 'preact';
import type { BotStatus, FeedStatus } from '../../domain/bot-status.ts';
import { Card } from '../components/card.tsx';
import { Table } from '../components/table.tsx';
import { durationText } from '../format/times.ts';

/** Nothing if the settings have no feed. */
export function FeedsPanel({ status }: { readonly status: BotStatus }): JSX.Element | null {
  const { feeds, atMs } = status;
  if (feeds.length === 0) return null;
  return (
    <Card
      title="Feeds"
      name="feeds"
      help="Series from outside of the exchange. A stale feed has no value for strategies; its last one is shown."
    >
      <Table
        caption="Feeds"
        rows={feeds}
        rowKey={({ name }) => name}
        empty="No feeds."
        columns={[
          { key: 'name', title: 'Feed', cell: ({ name }) => name },
          { key: 'value', title: 'Value', isFigure: true, cell: valueText },
          {
            key: 'age',
            title: 'Received',
            isFigure: true,
            cell: ({ receivedMs }) =>
              receivedMs === null ? '' : `${durationText(Math.max(0, atMs - receivedMs))} ago`,
          },
          {
            key: 'state',
            title: 'State',
            isText: true,
            cell: ({ problem }) =>
              problem === null ? 'has a value' : <span class="ink-warn">{problem}</span>,
          },
        ]}
      />
    </Card>
  );
}

function valueText({ values }: FeedStatus): string {
  const entries = Object.entries(values ?? {});
  return entries.map(([name, value]) => (name === 'value' ? value : `${name} ${value}`)).join(', ');
}
