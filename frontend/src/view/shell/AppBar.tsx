/** The bar of every page: home link, the page's own controls, theme and profile. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import markUrl from '../../favicon.svg';
import { ThemeMenu } from '../ui/ThemeMenu';
import { ProfileButton } from './ProfileButton';

interface Props {
  start?: ReactNode;
  middle?: ReactNode;
  end?: ReactNode;
  /** The avatars; default oneself. */
  people?: ReactNode;
}

export function AppBar({ start, middle, end, people = <ProfileButton /> }: Props) {
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
        <ThemeMenu />
        {people}
      </div>
    </header>
  );
}
