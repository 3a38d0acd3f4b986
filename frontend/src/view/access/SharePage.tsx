/** The page of a share link: asks a guest's name once, and goes to the workspace. */
import { ROOT_PATH } from '../../protocol/root';
import '../styles/access.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link2Off } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { openShare } from '../../protocol/access';
import { renameMe } from '../../protocol/api';
import { explainError } from '../../sync/words/errors';
import { useMe } from '../queries';
import { AppBar } from '../shell/AppBar';
import { Field } from '../ui/field/Field';
import { Notice } from '../ui/Notice';
import { useTitle } from '../ui/useTitle';
import { useSecret } from './useSecret';

/** A name that nobody has given. */
const UNNAMED = /^(Guest [0-9A-Z]{4}|Nobody)$/;

export function SharePage() {
  useTitle('Shared with you');
  const token = useSecret();
  const me = useMe().data;
  const [error, setError] = useState<unknown>(null);
  const cache = useQueryClient();
  const open = async (name: string | null) => {
    try {
      const { workspace_id } = await openShare(token);
      if (name !== null) await renameMe(name);
      cache.clear();
      window.location.replace(`${ROOT_PATH}/w/${workspace_id}`);
    } catch (problem) {
      setError(problem);
    }
  };
  if (!me) return <div className="page-loading" role="status" aria-label="Loading" />;
  return (
    <div className="page">
      <AppBar />
      <main className="page-centre">
        {error || !token ? (
          <Notice
            icon={Link2Off}
            heading="h1"
            isAlert
            {...(error
              ? explainError(error)
              : { title: 'This link is incomplete', advice: 'Ask for it again, and open all of it.' })}
          >
            <Link href="/" className="button">
              All workspaces
            </Link>
          </Notice>
        ) : (
          <Welcome isNamed={me.signed_in || !UNNAMED.test(me.name)} name={me.name} onOpen={open} />
        )}
      </main>
    </div>
  );
}

interface WelcomeProps {
  isNamed: boolean;
  name: string;
  onOpen: (name: string | null) => Promise<void>;
}

function Welcome({ isNamed, name, onOpen }: WelcomeProps) {
  const [draft, setDraft] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  return (
    <form
      className="access-card"
      onSubmit={(event) => {
        event.preventDefault();
        setIsBusy(true);
        void onOpen(isNamed ? null : draft.trim()).finally(() => setIsBusy(false));
      }}
    >
      <h1>A workspace is shared with you</h1>
      <p>{isNamed ? `You open it as ${name}.` : 'Others who have it open see your name.'}</p>
      {!isNamed && (
        <Field label="Your name" hint="Asked once in this browser">
          {(wiring) => (
            <input
              {...wiring}
              value={draft}
              maxLength={60}
              autoComplete="name"
              onChange={(event) => setDraft(event.target.value)}
            />
          )}
        </Field>
      )}
      <button type="submit" className="button primary" disabled={isBusy || (!isNamed && !draft.trim())}>
        {isBusy ? 'Opening…' : 'Open'}
      </button>
    </form>
  );
}
