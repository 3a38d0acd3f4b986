/** The actions for a row of the history: show, compare, revert, restore, name. */
import { Bookmark, GitCompareArrows, MoreHorizontal, RotateCcw, ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { CommitItem } from '../../protocol/types';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useCanAsk, useCanChange } from '../context/useCanChange';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem } from '../ui/overlay/Menu';
import { RevertPreview } from './RevertPreview';

/** `isPart`: a commit inside a row, with fewer actions. */
export function CommitActions({ item, isPart = false }: { item: CommitItem; isPart?: boolean }) {
  const { ui } = useEditorContext();
  const newest = useLive((live) => live.revision);
  const canChange = useCanChange();
  const canAsk = useCanAsk();
  const [isReverting, setIsReverting] = useState(false);
  const { revision, revisions, revert } = item;
  const before = (revisions.at(-1) ?? revision) - 1;
  const look = (from: number, against: number | 'now' | null) =>
    ui.set({ viewed: { revision: from, against } });
  if (isReverting && revert)
    return <RevertPreview target={revert} label={item.what} onClose={() => setIsReverting(false)} />;
  return (
    <div className="commit-actions">
      <button type="button" className="button small" onClick={() => look(revision, null)}>
        View
      </button>
      {!isPart && (
        // Also in the newest row, where it has nothing to do: a commit must not move the buttons behind it.
        <button
          type="button"
          className="button small"
          disabled={revision >= newest}
          onClick={() => look(revision, 'now')}
        >
          Compare with now
        </button>
      )}
      {revert && canChange && (
        <button type="button" className="button small" onClick={() => setIsReverting(true)}>
          Revert…
        </button>
      )}
      {!isPart && (
        <Menu
          button={
            <IconButton icon={MoreHorizontal} label={`More about revision ${revision}`} className="small" />
          }
        >
          {revision < newest && canAsk && (
            <MenuItem icon={ScrollText} onChoose={() => ui.set({ summarySince: revision })}>
              What changed since then
            </MenuItem>
          )}
          {before > 0 && (
            <MenuItem icon={GitCompareArrows} onChoose={() => look(before, revision)}>
              Show what it changed
            </MenuItem>
          )}
          {canChange && revision < newest && (
            <MenuItem icon={RotateCcw} onChoose={() => ui.set({ dialog: { kind: 'restore', revision } })}>
              Restore this revision…
            </MenuItem>
          )}
          {canChange && (
            <MenuItem icon={Bookmark} onChoose={() => ui.set({ dialog: { kind: 'checkpoint', revision } })}>
              Name this revision…
            </MenuItem>
          )}
        </Menu>
      )}
    </div>
  );
}
