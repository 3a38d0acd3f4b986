/** The dialog for the roles of people in a folder, which everything in it inherits. */
import '../styles/access.css';
import { useQuery } from '@tanstack/react-query';
import * as api from '../../protocol/folders';
import { explainError } from '../../sync/words/errors';
import { People } from '../access/People';
import { Dialog } from '../ui/overlay/Dialog';

export function FolderShareDialog({ folder, onClose }: { folder: api.Folder; onClose: () => void }) {
  const { id, name } = folder;
  const queryKey = ['folder access', id];
  const access = useQuery({ queryKey, queryFn: ({ signal }) => api.readFolderAccess(id, signal) });
  return (
    <Dialog title={`Access to “${name}”`} onClose={onClose} className="share-dialog">
      <div className="dialog-form">
        <div className="dialog-text">
          <p className="access-hint">Who has access to this folder has it to all that is in it.</p>
          {access.isError && <p role="alert">{explainError(access.error).title}</p>}
          {access.data && (
            <People
              access={access.data}
              queryKey={queryKey}
              writes={{
                member: (person, role) => api.setFolderMember(id, person, role),
                group: (group, role) => api.setFolderGroup(id, group, role),
                everyone: (role) => api.setFolderEveryone(id, role),
                transfer: (person) => api.transferFolder(id, person),
              }}
            />
          )}
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button primary" onClick={onClose}>
            Done
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
