/** The page of a workspace in the trash, with a button to restore it. */
import { Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { counted } from '../../model/words/kinds';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useUndeleteWorkspace } from '../queries';
import { AppBar } from '../shell/AppBar';
import { Notice } from '../ui/Notice';
import { useToasts } from '../ui/overlay/Toasts';
import { useTitle } from '../ui/useTitle';

export function GonePage() {
  const { id, client } = useEditorContext();
  const pending = useLive((live) => live.status.pending);
  const undelete = useUndeleteWorkspace(id);
  const toasts = useToasts();
  useTitle('In the trash');
  const kept =
    pending > 0
      ? ` ${counted(pending, 'change')} of yours ${pending === 1 ? 'is' : 'are'} kept in this browser and saved when it is put back.`
      : '';
  return (
    <div className="page">
      <AppBar />
      <main className="page-centre">
        <Notice
          icon={Trash2}
          heading="h1"
          title="This workspace is in the trash"
          advice={`Everything in it is kept for 30 days after it was put there.${kept}`}
        >
          <button
            type="button"
            className="button primary"
            disabled={undelete.isPending}
            onClick={() =>
              undelete.mutate(undefined, { onSuccess: () => client.retry(), onError: toasts.showError })
            }
          >
            Put back
          </button>
          <Link href="/" className="button">
            All workspaces
          </Link>
        </Notice>
      </main>
    </div>
  );
}
