/** A preview of a revert, with what it would leave out, and the button to carry it out. */
import { useState } from 'react';
import { useEditorContext } from '../context/EditorContext';
import { ChangeList, Trouble } from './CommitDetails';
import { useTriedRevert } from './queries';
import { useUndoRequest } from './useUndoRequest';

interface Props {
  target: { rev: number; upto: number | null };
  label: string;
  onClose: () => void;
}

export function RevertPreview({ target, label, onClose }: Props) {
  const { ui, client } = useEditorContext();
  // As of now: not computed again with every key of others. The result is shown afterwards.
  const [revision] = useState(client.revision);
  const stepBack = useUndoRequest();
  const { data, error } = useTriedRevert(target, revision);
  const take = () => {
    onClose();
    ui.set({ viewed: null });
    void stepBack({ kind: 'revert', label, ...target });
  };
  return (
    <div className="revert" role="group" aria-label="Revert">
      {error && <Trouble error={error} />}
      {!error && !data && <p className="history-hint">Looking at what it would do…</p>}
      {data && (
        <>
          <p className="revert-title">
            {data.changed ? 'Reverting would change' : 'Nothing of it can be taken back any more'}
          </p>
          {data.changed && data.diff && <ChangeList diff={data.diff} />}
          {data.left_out.length > 0 && (
            <>
              {data.changed && <p className="revert-title">and leave as it is</p>}
              <ul className="change-lines">
                {data.left_out.map(({ what, why }) => (
                  <li key={`${what} ${why}`}>
                    {what} <span className="change-how">{why}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      <div className="commit-actions">
        <button type="button" className="button small primary" disabled={!data?.changed} onClick={take}>
          Revert
        </button>
        <button type="button" className="button small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}
