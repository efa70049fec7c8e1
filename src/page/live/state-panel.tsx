/** What state the bot is in, whether the page is up to date, and why strategies do not trade. */
import type { JSX } from 'preact';
import type { StoredStatus } from '../../dashboard/api/bot-answers.ts';
import type { BotStatus, ScopeState } from '../../domain/bot-status.ts';
import type { TradingBlock } from '../../domain/trading-block.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Problem } from '../components/states.tsx';
import { dateTimeText, durationText } from '../format/times.ts';
import type { CommandDraft } from './command-dialog.tsx';
import type { Connection } from './connection.ts';

type PanelProps = {
  readonly status: BotStatus | undefined;
  readonly stored: StoredStatus | undefined;
  readonly connection: Connection;
  readonly happened: string | undefined;
  /** Starts a command; absent if the bot takes none from here. */
  readonly onCommand: ((draft: CommandDraft) => void) | undefined;
};

const tones = { ACTIVE: 'good', REDUCING: 'warn', HALTED: 'alarm' } as const;

export function StatePanel(props: PanelProps): JSX.Element {
  const { status, stored, connection, happened, onCommand } = props;
  const blocks = status?.notTrading ?? stored?.notTrading ?? [];
  const states = status?.states ?? stored?.states ?? [];
  const nowMs = status?.atMs;
  return (
    <Card title="State" name="state" aside={<StateBadge status={status} />}>
      <ConnectionText connection={connection} />
      {happened !== undefined && <p class="ink-warn">{happened}</p>}
      {states.map((one) => (
        <ScopeLine key={one.scope} one={one} onCommand={onCommand} />
      ))}
      {status !== undefined && <Readiness status={status} />}
      {blocks.map((block) => (
        <BlockLine
          key={`${block.strategyId} ${block.pair}`}
          block={block}
          nowMs={nowMs}
          onCommand={onCommand}
        />
      ))}
      {status?.feeds.map(
        ({ name, problem }) =>
          problem !== null &&
          !blocks.some(({ reason }) => reason.startsWith(`feed ${name} `)) && (
            <p key={name} class="ink-warn">
              {problem}
            </p>
          ),
      )}
      {status !== undefined && blocks.length === 0 && connection.kind === 'live' && (
        <p>Every strategy trades.</p>
      )}
    </Card>
  );
}

function StateBadge({ status }: { readonly status: BotStatus | undefined }): JSX.Element | null {
  if (status === undefined) return null;
  return <Badge text={status.state} tone={tones[status.state]} tip="The state of the whole bot." />;
}

function ConnectionText({ connection }: { readonly connection: Connection }): JSX.Element | null {
  if (connection.kind === 'live') return null;
  if (connection.kind === 'connecting') return <p class="soft">Connecting …</p>;
  const head = connection.kind === 'lost' ? 'Disconnected' : 'Not running';
  const tail =
    connection.kind === 'lost' ? ' The figures are old. The page reconnects by itself.' : '';
  return (
    <Problem
      text={`${head} since ${dateTimeText(connection.sinceMs)} UTC: ${connection.text}${tail}`}
    />
  );
}

type LineProps = Pick<PanelProps, 'onCommand'>;

function ScopeLine({ one, onCommand }: LineProps & { readonly one: ScopeState }): JSX.Element {
  const { scope, state, reason, sinceMs } = one;
  return (
    <p class="state-line">
      <Badge text={state} tone={tones[state] satisfies Tone} /> <b>{scope}</b> since{' '}
      {dateTimeText(sinceMs)} UTC: {reason}{' '}
      {onCommand !== undefined && (
        <button type="button" onClick={() => onCommand({ command: 'resume', scope })}>
          Resume …
        </button>
      )}
    </p>
  );
}

type BlockProps = LineProps & { readonly block: TradingBlock; readonly nowMs: number | undefined };

const verbs = {
  ...{ all: 'does not trade', BID: 'does not buy', ASK: 'does not sell' },
  some: 'trades only in part',
} as const;

function BlockLine({ block, nowMs, onCommand }: BlockProps): JSX.Element {
  const { strategyId, pair, reason, ends, sinceMs, remedy, kind } = block;
  return (
    <p class="state-line" data-block={kind}>
      <b>{strategyId}</b> {verbs[block.only ?? 'all']} on {pair}: {reason}. Ends {ends}
      {nowMs !== undefined && <span class="soft"> (for {durationText(nowMs - sinceMs)})</span>}{' '}
      {remedy !== undefined && onCommand !== undefined && (
        <button type="button" onClick={() => onCommand(remedy)}>
          {remedy.command === 'resume' ? 'Resume …' : 'Approve …'}
        </button>
      )}
    </p>
  );
}

function Readiness({ status }: { readonly status: BotStatus }): JSX.Element {
  const { isReconciled, areBooksUsable, markets, waitingMs } = status;
  const unusable = markets.filter(({ isUsable }) => !isUsable);
  return (
    <p class="state-badges">
      <Badge
        text={isReconciled ? 'reconciled' : 'not reconciled'}
        tone={isReconciled ? 'plain' : 'warn'}
        tip="Whether our orders, fills and balances agree with the exchange's."
      />{' '}
      <Badge
        text={areBooksUsable ? 'books usable' : 'a book is unusable'}
        tone={areBooksUsable ? 'plain' : 'warn'}
        tip={
          unusable
            .map(({ pair, unusableReason }) => `${pair}: ${unusableReason ?? 'unusable'}`)
            .join('\n') || 'Orders may rely on every book.'
        }
      />{' '}
      <Badge
        text={`loop waits ${durationText(waitingMs)}`}
        tone={waitingMs > 250 ? 'warn' : 'plain'}
        tip="How long the oldest event has waited for the bot's event loop."
      />
    </p>
  );
}
