/**
 * A command for a bot, in two steps: what, for what scope and why; then the word of the command,
 * typed, with the command token. The token stays in this tab and is in no address.
 */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { CommandRequest } from '../../dashboard/api/bot-answers.ts';
import type { BotStatus } from '../../domain/bot-status.ts';
import { keepText, keptText } from '../browser/kept-text.ts';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/states.tsx';
import { sendCommand } from './live-api.ts';
import { changeableOf, newValuesOf, ParameterFields } from './parameter-fields.tsx';

export type CommandName = CommandRequest['command'];
/** What the dialog begins with. */
export type CommandDraft = {
  readonly command: CommandName;
  readonly scope?: string;
  /** Of a refusal that asks for an approval. */
  readonly token?: string;
};

const meanings: Readonly<Record<CommandName, string>> = {
  halt: 'No new order passes, and open orders of the scope are cancelled. It lasts until a resume.',
  reduce: 'Only orders that bring a position nearer to zero pass, until a resume.',
  resume: 'Ends a halt or a reduction.',
  set: 'Changes parameters of a strategy, until the next start. All of them hold, or none.',
  approve: 'Lets one order pass that the gate held for an approval.',
  kill: 'Cancels every order, halts the bot and proves that nothing is open.',
  stop: 'Ends the process in order: its orders are cancelled and its database is closed.',
};
const commandNames = Object.keys(meanings) as CommandName[];
const userKey = 'millrace-user';
const scoped: readonly CommandName[] = ['halt', 'reduce', 'resume', 'set'];

type DialogProps = {
  readonly bot: { readonly id: string; readonly name: string };
  readonly draft: CommandDraft;
  readonly status: BotStatus | undefined;
  readonly onClose: () => void;
};

export function CommandDialog({ bot, draft, status, onClose }: DialogProps): JSX.Element {
  const command = useSignal(draft.command);
  const scope = useSignal(draft.scope ?? 'bot');
  const typed = useSignal<Readonly<Record<string, string>>>({});
  const approval = useSignal(draft.token ?? '');
  const reason = useSignal('');
  const user = useSignal(keptText('browser', userKey) ?? '');
  const isConfirming = useSignal(false);
  const confirmation = useSignal('');
  const tokenKey = `millrace-command-token ${bot.id}`;
  const secret = useSignal(keptText('tab', tokenKey) ?? '');
  const answer = useSignal<{ readonly isFine: boolean; readonly text: string } | undefined>(
    undefined,
  );
  const isSending = useSignal(false);

  const scopes = scopesOf(command.value, status, scope.value);
  const chosen = scopes.includes(scope.value) ? scope.value : (scopes[0] ?? scope.value);
  const strategy = status?.parameters.find(({ strategyId }) => chosen === `strategy:${strategyId}`);
  const values = newValuesOf(strategy, typed.value);
  const isSet = command.value === 'set';

  async function send(): Promise<void> {
    isSending.value = true;
    const reply = await sendCommand(
      bot.id,
      {
        command: command.value,
        confirm: confirmation.value.trim(),
        reason: reason.value.trim(),
        user: user.value.trim(),
        ...(scoped.includes(command.value) && chosen !== 'bot' ? { scope: chosen } : {}),
        ...(isSet ? { values } : {}),
        ...(command.value === 'approve' ? { token: approval.value.trim() } : {}),
      },
      secret.value.trim(),
    );
    isSending.value = false;
    if (reply.isOk) {
      keepText('browser', userKey, user.value.trim());
      keepText('tab', tokenKey, secret.value.trim());
      const { isRefused, text, remaining } = reply.answer;
      const rest = remaining === null || remaining === 0 ? '' : ` Orders still open: ${remaining}.`;
      answer.value = { isFine: !isRefused, text: `${text}${rest}` };
    } else {
      if (reply.status === 401 || reply.status === 403) keepText('tab', tokenKey, undefined);
      answer.value = { isFine: false, text: reply.text };
    }
  }

  const isRight = confirmation.value.trim() === command.value && secret.value.trim() !== '';
  return (
    <Dialog title={`Command for ${bot.name}`} onClose={onClose}>
      {answer.value !== undefined && (
        <>
          {answer.value.isFine ? <p>{answer.value.text}</p> : <Problem text={answer.value.text} />}
          <div class="dialog-buttons">
            {!answer.value.isFine && (
              <button
                type="button"
                onClick={() => {
                  answer.value = undefined;
                }}
              >
                Back
              </button>
            )}
            <button type="button" class="is-primary" onClick={onClose}>
              Close
            </button>
          </div>
        </>
      )}
      {answer.value === undefined && !isConfirming.value && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            isConfirming.value = true;
          }}
        >
          <label>
            Command
            <select
              value={command.value}
              onChange={({ currentTarget }) => {
                command.value = currentTarget.value as CommandName;
              }}
            >
              {commandNames.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <p class="soft">{meanings[command.value]}</p>
          {scoped.includes(command.value) && (
            <label>
              Scope
              <select
                value={chosen}
                onChange={({ currentTarget }) => {
                  scope.value = currentTarget.value;
                  typed.value = {};
                }}
              >
                {scopes.map((one) => (
                  <option key={one} value={one}>
                    {one === 'bot' ? 'the whole bot' : one}
                  </option>
                ))}
              </select>
            </label>
          )}
          {isSet && (
            <ParameterFields
              strategy={strategy}
              typed={typed.value}
              onType={(name, text) => {
                typed.value = { ...typed.value, [name]: text };
              }}
            />
          )}
          {command.value === 'approve' && (
            <label>
              Token of the refusal that asks for the approval
              <input
                required
                pattern="[0-9a-f]{16}"
                value={approval.value}
                onInput={({ currentTarget }) => {
                  approval.value = currentTarget.value;
                }}
              />
            </label>
          )}
          <label>
            Your name (kept with the command)
            <input
              required
              maxLength={60}
              pattern="[\p{L}\p{N}][\p{L}\p{N} ._@\-]*"
              title="Letters, digits, blanks and . _ @ -"
              value={user.value}
              onInput={({ currentTarget }) => {
                user.value = currentTarget.value;
              }}
            />
          </label>
          <label>
            Reason (kept with the command)
            <input
              required
              maxLength={500}
              value={reason.value}
              onInput={({ currentTarget }) => {
                reason.value = currentTarget.value;
              }}
            />
          </label>
          <div class="dialog-buttons">
            <button
              type="submit"
              class="is-primary"
              disabled={isSet && Object.keys(values).length === 0}
            >
              Continue
            </button>
          </div>
        </form>
      )}
      {answer.value === undefined && isConfirming.value && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <p>
            <b>{command.value}</b> {scopeText(command.value, chosen)} <b>{bot.name}</b>:{' '}
            {reason.value}
          </p>
          {isSet &&
            Object.entries(values).map(([name, value]) => (
              <p key={name}>
                {name}: {strategy?.parameters.find((one) => one.name === name)?.value} →{' '}
                <b>{value}</b>
              </p>
            ))}
          <label>
            Type {command.value} to confirm
            <input
              autoComplete="off"
              value={confirmation.value}
              onInput={({ currentTarget }) => {
                confirmation.value = currentTarget.value;
              }}
            />
          </label>
          <label>
            Command token (in the file page/{bot.name}.command-token in the bot’s home)
            <input
              type="password"
              autoComplete="off"
              value={secret.value}
              onInput={({ currentTarget }) => {
                secret.value = currentTarget.value;
              }}
            />
          </label>
          <div class="dialog-buttons">
            <button
              type="button"
              onClick={() => {
                isConfirming.value = false;
              }}
            >
              Back
            </button>
            <button type="submit" class="is-danger" disabled={!isRight || isSending.value}>
              {isSending.value ? 'Sending …' : `Send ${command.value}`}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function scopeText(command: CommandName, scope: string): string {
  return scoped.includes(command) && scope !== 'bot' ? `${scope} of` : 'the whole bot';
}

/** Returns what a command may be for; `asked` stays, also if the status does not have it. */
function scopesOf(
  command: CommandName,
  status: BotStatus | undefined,
  asked: string,
): readonly string[] {
  if (command === 'set')
    return (status?.parameters ?? [])
      .filter((one) => changeableOf(one).length > 0)
      .map(({ strategyId }) => `strategy:${strategyId}`);
  const strategies = status?.strategies.map(({ strategyId }) => `strategy:${strategyId}`) ?? [];
  const pairs = status?.markets.map(({ pair }) => `pair:${pair}`) ?? [];
  return [...new Set(['bot', ...strategies, ...pairs, asked])];
}
