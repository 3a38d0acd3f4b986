/** Asks what becomes of the contents of a group that is to be deleted. */
import '../styles/delete.css';
import '../styles/gestures.css';
import { groupsWithContents } from '../../model/gestures/deletion';
import { counted } from '../../model/words/kinds';
import type { DiagramNode } from '../../protocol/types';
import { useEditorContext, useLive } from '../context/EditorContext';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';
import { deleteNow } from './deleting';

const NAMED = 5;

export function DeleteDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const context = useEditorContext();
  const toasts = useToasts();
  // Computed again when the diagram changes: others may add to the group or empty it.
  useLive((live) => live.diagram);
  const stake = groupsWithContents(sceneOf(context), ids);
  const remove = (contents: 'delete' | 'up') => {
    onClose();
    deleteNow(context, toasts, ids, contents);
  };
  const title = stake?.groups.length === 1 ? `Delete “${stake.groups[0]?.label}”?` : 'Delete these groups?';
  return (
    <Dialog title={title} onClose={onClose} size="small" className="delete-dialog">
      <div className="dialog-form">
        <div className="dialog-text">
          {stake ? <Contents contents={stake.contents} /> : <p>Nothing stands in it any more.</p>}
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button" data-autofocus onClick={() => remove('up')}>
            {stake ? 'Keep contents' : 'Delete'}
          </button>
          {stake && (
            <button type="button" className="button danger" onClick={() => remove('delete')}>
              Delete contents too
            </button>
          )}
        </footer>
      </div>
    </Dialog>
  );
}

function Contents({ contents }: { contents: readonly DiagramNode[] }) {
  const more = contents.length - NAMED;
  return (
    <>
      <p>
        {counted(contents.length, 'node')} {contents.length === 1 ? 'stands' : 'stand'} in it:
      </p>
      <ul className="delete-list">
        {contents.slice(0, NAMED).map(({ id, label }) => (
          <li key={id}>{label}</li>
        ))}
        {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
      </ul>
      <p>Kept contents stay where they are. Either way it can be undone as one step.</p>
    </>
  );
}
