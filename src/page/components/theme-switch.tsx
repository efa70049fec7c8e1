/** Chooses the theme: that of the system, light or dark. */
import type { JSX } from 'preact';
import { chooseTheme, theme, themes } from '../browser/theme.ts';

const titles = { system: 'System', light: 'Light', dark: 'Dark' } as const;

export function ThemeSwitch(): JSX.Element {
  return (
    <label class="theme-switch">
      <span class="unseen">Theme</span>
      <select
        value={theme.value}
        onChange={({ currentTarget }) => {
          const chosen = themes.find((one) => one === currentTarget.value);
          if (chosen !== undefined) chooseTheme(chosen);
        }}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {titles[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
