/** Asks for the view token, if the page was opened without one. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Card } from '../components/card.tsx';
import { Problem } from '../components/states.tsx';

type LoginProps = {
  /** Returns why the token was not accepted. */
  readonly onLogin: (token: string) => Promise<string | undefined>;
};

export function LoginForm({ onLogin }: LoginProps): JSX.Element {
  const token = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  return (
    <Card title="This page needs its token" name="login">
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault();
          problem.value = await onLogin(token.value.trim());
        }}
      >
        <p class="soft">
          The bot prints the address with the token at its start. Open that address, or paste the
          token here: it is in the file page/BOT.view-token in the bot’s home.
        </p>
        {problem.value !== undefined && <Problem text={problem.value} />}
        <label>
          Token
          <input
            type="password"
            autoComplete="off"
            required
            value={token.value}
            onInput={({ currentTarget }) => {
              token.value = currentTarget.value;
            }}
          />
        </label>
        <div class="dialog-buttons">
          <button type="submit" class="is-primary">
            Open
          </button>
        </div>
      </form>
    </Card>
  );
}
