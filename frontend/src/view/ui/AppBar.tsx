/** The bar on top of every page: the way home, the page's own controls, theme and person. */
import { Monitor, Moon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import markUrl from '../../favicon.svg';
import { chooseTheme, recallTheme, THEMES, type Theme } from '../../sync/preferences';
import { IconButton } from './IconButton';
import { ProfileButton } from './ProfileButton';

export function AppBar({ start, middle, end }: { start?: ReactNode; middle?: ReactNode; end?: ReactNode }) {
  return (
    <header className="app-bar">
      <div className="app-bar-start">
        <Link href="/" className="home-link" aria-label="Draftsmith: all workspaces">
          <img src={markUrl} alt="" width={32} height={32} />
          {!start && <span className="product-name">Draftsmith</span>}
        </Link>
        {start}
      </div>
      {middle && <div className="app-bar-middle">{middle}</div>}
      <div className="app-bar-end">
        {end}
        <ThemeButton />
        <ProfileButton />
      </div>
    </header>
  );
}

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const;
const THEME_NAMES: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' };

function ThemeButton() {
  const [theme, setTheme] = useState(recallTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <IconButton
      icon={THEME_ICONS[theme]}
      label={`Theme: ${THEME_NAMES[theme]}. Switch to ${THEME_NAMES[next]}`}
      className="tip-left"
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    />
  );
}
