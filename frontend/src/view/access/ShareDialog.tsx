/** The dialog for the roles of people in this workspace, and for its share links. */
import '../styles/access.css';
import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import * as api from '../../protocol/access';
import { explainError } from '../../sync/words/errors';
import { useEditorContext } from '../context/EditorContext';
import { useMe } from '../queries';
import { Dialog } from '../ui/overlay/Dialog';
import { AuditList } from './AuditList';
import { People } from './People';
import { PictureLink } from './PictureLink';
import { ShareLinks } from './ShareLinks';

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const { id, ui } = useEditorContext();
  const me = useMe().data;
  const isLocal = me?.mode === 'local';
  const access = useQuery({
    queryKey: ['access', id],
    queryFn: ({ signal }) => api.readAccess(id, signal),
    enabled: me !== undefined && !isLocal,
  });
  return (
    <Dialog title="Share" onClose={onClose} className="share-dialog">
      <div className="dialog-form">
        <div className="dialog-text">
          {isLocal && <LocalWords />}
          {access.isError && <p role="alert">{explainError(access.error).title}</p>}
          {access.data && (
            <People
              access={access.data}
              queryKey={['access', id]}
              writes={{
                member: (person, role) => api.setMember(id, person, role),
                group: (group, role) => api.setGroup(id, group, role),
                everyone: (role) => api.setEveryone(id, role),
                transfer: (person) => api.transfer(id, person),
              }}
              options={(change, isBusy) => (
                <label className="access-option">
                  <input
                    type="checkbox"
                    checked={access.data.shows_runs}
                    disabled={isBusy}
                    onChange={(event) => {
                      const isShown = event.target.checked;
                      change(() => api.setShowsRuns(id, isShown));
                    }}
                  />
                  Everybody here sees what others asked the assistant
                </label>
              )}
            />
          )}
          {access.data?.role === 'owner' && (
            <>
              <ShareLinks />
              <PictureLink />
              <AuditList />
            </>
          )}
        </div>
        <footer className="dialog-foot">
          <button
            type="button"
            className="button share-agent"
            onClick={() => ui.set({ dialog: { kind: 'connect-agent' } })}
          >
            <Bot size={16} strokeWidth={1.9} aria-hidden="true" />
            Connect your agent…
          </button>
          <button type="button" className="button primary" onClick={onClose}>
            Done
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function LocalWords() {
  return (
    <>
      <p>
        <strong>Only this machine can open this address.</strong> Draftsmith runs here for you alone, and
        nobody has to sign in.
      </p>
      <p>
        To share workspaces, start it with <code>DRAFTSMITH_MODE=token</code>: everybody shows who they are,
        and links give exactly the role they say. Until then, Export makes a file that you can send.
      </p>
    </>
  );
}
