/** Where one is among the folders: a link to each one around. */
import { ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import { pathOf } from '../../model/words/folders';
import type { Folder } from '../../protocol/folders';
import { addressOf } from './folders';

export function Breadcrumb({ folders, open }: { folders: readonly Folder[]; open: string }) {
  const around = pathOf(folders, open).slice(0, -1);
  return (
    <nav className="breadcrumb" aria-label="Folders around">
      <ol>
        {[{ id: null, name: 'Workspaces' }, ...around].map(({ id, name }) => (
          <li key={id ?? 'top'}>
            <Link href={addressOf(id)}>{name}</Link>
            <ChevronRight size={14} strokeWidth={2} aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  );
}
