/** Checkpoints: named revisions that are kept for good. */

import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, Eye, GitCompareArrows, MoreHorizontal, RotateCcw, ScrollText, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { dropCheckpoint } from '../../protocol/history';
import type { Checkpoint } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { useCanAsk, useCanChange } from '../context/useCanChange';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, exactly } from '../ui/time';
import { useCheckpoints, useCheckpointWrite } from './queries';

export function Checkpoints() {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  const { data } = useCheckpoints();
  useEffect(
    () =>
      client.subscribe(({ nodes, commits }) => {
        if (nodes === 'all' || commits.some(({ kind }) => kind === 'checkpoint'))
          void queries.invalidateQueries({ queryKey: ['checkpoints', id] });
      }),
    [client, queries, id],
  );
  if (!data || data.length === 0) return null;
  return (
    <section className="checkpoints" aria-label="Checkpoints">
      <h2>Checkpoints</h2>
      <ul>
        {data.map((one) => (
          <CheckpointRow key={one.id} checkpoint={one} />
        ))}
      </ul>
    </section>
  );
}

function CheckpointRow({ checkpoint: { id, name, revision, at } }: { checkpoint: Checkpoint }) {
  const { ui } = useEditorContext();
  const canChange = useCanChange();
  const canAsk = useCanAsk();
  const toasts = useToasts();
  const drop = useCheckpointWrite(dropCheckpoint);
  const look = (against: 'now' | null) => ui.set({ viewed: { revision, against } });
  return (
    <li className="checkpoint">
      <button type="button" className="checkpoint-name" onClick={() => look(null)}>
        <Bookmark size={14} strokeWidth={2} aria-hidden="true" />
        <span className="checkpoint-text">{name}</span>
        <time dateTime={at} title={`${exactly(at)}, revision ${revision}`}>
          {ago(at)}
        </time>
      </button>
      <Menu button={<IconButton icon={MoreHorizontal} label={`More about “${name}”`} className="small" />}>
        <MenuItem icon={Eye} onChoose={() => look(null)}>
          View
        </MenuItem>
        <MenuItem icon={GitCompareArrows} onChoose={() => look('now')}>
          Compare with now
        </MenuItem>
        {canAsk && (
          <MenuItem icon={ScrollText} onChoose={() => ui.set({ summarySince: revision })}>
            What changed since then
          </MenuItem>
        )}
        {canChange && (
          <>
            <MenuItem icon={RotateCcw} onChoose={() => ui.set({ dialog: { kind: 'restore', revision } })}>
              Restore…
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={Trash2}
              tone="bad"
              onChoose={() =>
                drop.mutate(id, {
                  onSuccess: () =>
                    toasts.show({
                      text: `“${name}” is no checkpoint any more`,
                      detail: 'The revision is kept like any other.',
                    }),
                  onError: toasts.showError,
                })
              }
            >
              Delete the name
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}
