/** The live page: what a bot does now, why it does not trade, and its history. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { BotEntry } from '../../dashboard/api/bot-answers.ts';
import { AppFrame } from '../components/app-frame.tsx';
import { Badge } from '../components/badge.tsx';
import { Problem } from '../components/states.tsx';
import { CommandDialog, type CommandDraft } from './command-dialog.tsx';
import { LiveBody } from './live-body.tsx';
import { LiveState } from './live-state.ts';
import { LoginForm } from './login-form.tsx';
import { StoryDialog } from './story-dialog.tsx';

export function LivePage(): JSX.Element {
  const state = useMemo(() => new LiveState(), []);
  useEffect(() => state.start(), [state]);
  const intentId = useSignal<number | undefined>(undefined);
  const draft = useSignal<CommandDraft | undefined>(undefined);
  const bot = state.bot.value;
  const open = (id: number): void => {
    intentId.value = id;
  };
  const onCommand =
    bot?.takesCommands === true
      ? (next: CommandDraft) => {
          draft.value = next;
        }
      : undefined;
  useTitle(state);
  return (
    <AppFrame
      title="Millrace"
      head={<BotChoice state={state} />}
      actions={
        onCommand !== undefined && (
          <button type="button" class="is-danger" onClick={() => onCommand({ command: 'halt' })}>
            Command …
          </button>
        )
      }
    >
      {state.needsToken.value && <LoginForm onLogin={(token) => state.login(token)} />}
      {state.problem.value !== undefined && <Problem text={state.problem.value} />}
      {bot !== undefined && !state.needsToken.value && (
        <LiveBody key={bot.id} bot={bot} state={state} onOrder={open} onCommand={onCommand} />
      )}
      {bot !== undefined && intentId.value !== undefined && (
        <StoryDialog
          bot={bot.id}
          intentId={intentId.value}
          onClose={() => {
            intentId.value = undefined;
          }}
        />
      )}
      {bot !== undefined && draft.value !== undefined && (
        <CommandDialog
          bot={{ id: bot.id, name: bot.bot }}
          draft={draft.value}
          status={state.status.value}
          onClose={() => {
            draft.value = undefined;
          }}
        />
      )}
    </AppFrame>
  );
}

const modeTones = { demo: 'plain', paper: 'accent', live: 'alarm' } as const;
const modeTips = {
  demo: 'Orders go to the simulated exchange of this machine.',
  paper: 'A paper account against the live market: no order leaves.',
  live: 'Orders go to the exchange, with money.',
} as const;

function BotChoice({ state }: { readonly state: LiveState }): JSX.Element {
  const { bots, bot, connection } = state;
  const one = bot.value;
  return (
    <>
      <label>
        <span class="unseen">Bot</span>
        <select
          class="bot-choice"
          value={one?.id ?? ''}
          onChange={({ currentTarget }) => state.choose(currentTarget.value)}
        >
          {bots.value.map((entry) => (
            <option key={entry.id} value={entry.id}>
              {entry.bot}
              {entry.state === 'running' ? '' : ` (${entry.state})`}
            </option>
          ))}
        </select>
      </label>
      {one !== undefined && (
        <Badge text={one.mode} tone={modeTones[one.mode]} tip={modeTips[one.mode]} />
      )}
      <ConnectionBadge kind={connection.value.kind} entry={one} />
    </>
  );
}

type ConnectionProps = {
  readonly kind: LiveState['connection']['value']['kind'];
  readonly entry: BotEntry | undefined;
};

function ConnectionBadge({ kind, entry }: ConnectionProps): JSX.Element {
  if (kind === 'live') return <Badge text="● connected" tone="good" />;
  if (kind === 'connecting') return <Badge text="connecting" />;
  if (kind === 'lost') return <Badge text="○ disconnected" tone="alarm" />;
  return <Badge text={entry?.state === 'stopped' ? '○ stopped' : '○ not running'} tone="warn" />;
}

/** The tab of the browser names the bot, and what is wrong with it. */
function useTitle({ bot, status, connection }: LiveState): void {
  const name = bot.value?.bot ?? 'Millrace';
  const kind = connection.value.kind;
  const now = status.value?.state;
  const trouble = kind === 'lost' ? 'disconnected' : kind === 'ended' ? 'not running' : undefined;
  const halted = now === undefined || now === 'ACTIVE' ? undefined : now;
  const title = [trouble ?? halted, name].filter((part) => part !== undefined).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
