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
  const input = useCommandInput(bot.id, draft);
  const choice = choiceOf(input, status);
  const isConfirming = useSignal(false);
  const isSending = useSignal(false);
  const answer = useSignal<CommandAnswer | undefined>(undefined);

  async function send(): Promise<void> {
    isSending.value = true;
    const next = await sendInput(bot.id, input, choice);
    isSending.value = false;
    answer.value = next;
  }

  return (
    <Dialog title={`Command for ${bot.name}`} onClose={onClose}>
      {answer.value !== undefined && (
        <AnswerText
          answer={answer.value}
          onBack={() => {
            answer.value = undefined;
          }}
          onClose={onClose}
        />
      )}
      {answer.value === undefined && !isConfirming.value && (
        <CommandForm
          input={input}
          choice={choice}
          onContinue={() => {
            isConfirming.value = true;
          }}
        />
      )}
      {answer.value === undefined && isConfirming.value && (
        <ConfirmationForm
          bot={bot.name}
          input={input}
          choice={choice}
          isSending={isSending.value}
          onBack={() => {
            isConfirming.value = false;
          }}
          onSend={() => void send()}
        />
      )}
    </Dialog>
  );
}

/** What is typed in the two steps; it stays when the user goes back. */
type CommandInput = ReturnType<typeof useCommandInput>;

function useCommandInput(bot: string, draft: CommandDraft) {
  return {
    command: useSignal(draft.command),
    scope: useSignal(draft.scope ?? 'bot'),
    parameters: useSignal<Readonly<Record<string, string>>>({}),
    approval: useSignal(draft.token ?? ''),
    reason: useSignal(''),
    user: useSignal(keptText('browser', userKey) ?? ''),
    confirmation: useSignal(''),
    secret: useSignal(keptText('tab', tokenKeyOf(bot)) ?? ''),
  };
}

/** What the input means for the bot as it is now. */
type CommandChoice = ReturnType<typeof choiceOf>;

function choiceOf({ command, scope, parameters }: CommandInput, status: BotStatus | undefined) {
  const scopes = scopesOf(command.value, status, scope.value);
  const chosen = scopes.includes(scope.value) ? scope.value : (scopes[0] ?? scope.value);
  const strategy = status?.parameters.find(({ strategyId }) => chosen === `strategy:${strategyId}`);
  return { scopes, scope: chosen, strategy, values: newValuesOf(strategy, parameters.value) };
}

type CommandAnswer = { readonly isFine: boolean; readonly text: string };

async function sendInput(
  bot: string,
  { command, confirmation, reason, user, approval, secret }: CommandInput,
  { scope, values }: CommandChoice,
): Promise<CommandAnswer> {
  const reply = await sendCommand(
    bot,
    {
      command: command.value,
      confirm: confirmation.value.trim(),
      reason: reason.value.trim(),
      user: user.value.trim(),
      ...(scoped.includes(command.value) && scope !== 'bot' ? { scope } : {}),
      ...(command.value === 'set' ? { values } : {}),
      ...(command.value === 'approve' ? { token: approval.value.trim() } : {}),
    },
    secret.value.trim(),
  );
  if (!reply.isOk) {
    if (reply.status === 401 || reply.status === 403) keepText('tab', tokenKeyOf(bot), undefined);
    return { isFine: false, text: reply.text };
  }
  keepText('browser', userKey, user.value.trim());
  keepText('tab', tokenKeyOf(bot), secret.value.trim());
  const { isRefused, text, remaining } = reply.answer;
  const rest = remaining === null || remaining === 0 ? '' : ` Orders still open: ${remaining}.`;
  return { isFine: !isRefused, text: `${text}${rest}` };
}

function tokenKeyOf(bot: string): string {
  return `millrace-command-token ${bot}`;
}

type AnswerProps = {
  readonly answer: CommandAnswer;
  readonly onBack: () => void;
  readonly onClose: () => void;
};

function AnswerText({ answer, onBack, onClose }: AnswerProps): JSX.Element {
  return (
    <>
      {answer.isFine ? <p>{answer.text}</p> : <Problem text={answer.text} />}
      <div class="dialog-buttons">
        {!answer.isFine && (
          <button type="button" onClick={onBack}>
            Back
          </button>
        )}
        <button type="button" class="is-primary" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

type FormProps = {
  readonly input: CommandInput;
  readonly choice: CommandChoice;
  readonly onContinue: () => void;
};

/** The first step: what, for what scope and why. */
function CommandForm({ input, choice, onContinue }: FormProps): JSX.Element {
  const { command, approval, user, reason } = input;
  const isSet = command.value === 'set';
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onContinue();
      }}
    >
      <CommandFields input={input} choice={choice} />
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
          disabled={isSet && Object.keys(choice.values).length === 0}
        >
          Continue
        </button>
      </div>
    </form>
  );
}

/** The command, its scope and, for `set`, the parameters. */
function CommandFields({ input, choice }: Omit<FormProps, 'onContinue'>): JSX.Element {
  const { command, scope, parameters } = input;
  return (
    <>
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
            value={choice.scope}
            onChange={({ currentTarget }) => {
              scope.value = currentTarget.value;
              parameters.value = {};
            }}
          >
            {choice.scopes.map((one) => (
              <option key={one} value={one}>
                {one === 'bot' ? 'the whole bot' : one}
              </option>
            ))}
          </select>
        </label>
      )}
      {command.value === 'set' && (
        <ParameterFields
          strategy={choice.strategy}
          typed={parameters.value}
          onType={(name, text) => {
            parameters.value = { ...parameters.value, [name]: text };
          }}
        />
      )}
    </>
  );
}

type ConfirmationProps = {
  readonly bot: string;
  readonly input: CommandInput;
  readonly choice: CommandChoice;
  readonly isSending: boolean;
  readonly onBack: () => void;
  readonly onSend: () => void;
};

/** The second step: the word of the command, typed, with the command token. */
function ConfirmationForm(props: ConfirmationProps): JSX.Element {
  const { bot, choice, isSending, onBack, onSend } = props;
  const { command, reason, confirmation, secret } = props.input;
  const { scope, strategy, values } = choice;
  const isRight = confirmation.value.trim() === command.value && secret.value.trim() !== '';
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <p>
        <b>{command.value}</b> {scopeText(command.value, scope)} <b>{bot}</b>: {reason.value}
      </p>
      {command.value === 'set' &&
        Object.entries(values).map(([name, value]) => (
          <p key={name}>
            {name}: {strategy?.parameters.find((one) => one.name === name)?.value} → <b>{value}</b>
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
        Command token (in the file page/{bot}.command-token in the bot’s home)
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
        <button type="button" onClick={onBack}>
          Back
        </button>
        <button type="submit" class="is-danger" disabled={!isRight || isSending}>
          {isSending ? 'Sending …' : `Send ${command.value}`}
        </button>
      </div>
    </form>
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
