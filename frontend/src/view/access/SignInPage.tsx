/** The page on which one signs in: with the issuer, with an administrator's link, or in words how else. */
import { ROOT_PATH } from '../../protocol/root';
import '../styles/access.css';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { codeWords } from '../../model/words/codeWords';
import { signInAddress, signInByLink } from '../../protocol/access';
import { explainError } from '../../sync/words/errors';
import { useMe } from '../queries';
import { AppBar } from '../shell/AppBar';
import { Field } from '../ui/field/Field';
import { Notice } from '../ui/Notice';
import { useTitle } from '../ui/useTitle';
import { useSecret } from './useSecret';

/** Who was removed is told so, since beginning again helps them nothing. */
const whyFailed = (code: string): string =>
  code === 'user_removed'
    ? codeWords(code).sentence
    : 'Signing in did not work. Begin it again; a sign-in takes at most ten minutes.';

export function SignInPage() {
  useTitle('Sign in');
  const token = useSecret();
  const [failed] = useState(() => new URLSearchParams(window.location.search).get('failed'));
  const [next] = useState(() => ownPath(new URLSearchParams(window.location.search).get('next')));
  const me = useMe().data;
  const [, navigate] = useLocation();
  const isDone = me !== undefined && (me.mode === 'local' || me.signed_in) && token === '';
  useEffect(() => {
    if (isDone) navigate(next, { replace: true });
  }, [isDone, navigate, next]);
  if (!me || isDone) return <div className="page-loading" role="status" aria-label="Loading" />;
  const issuer = me.sign_in.issuer;
  return (
    <div className="page">
      <AppBar />
      <main className="page-centre">
        {token ? (
          <ByLink token={token} next={next} />
        ) : (
          <Notice
            icon={KeyRound}
            heading="h1"
            title="Sign in"
            advice={failed !== null ? whyFailed(failed) : issuer ? 'Your workspaces are waiting.' : HOW_ELSE}
          >
            {issuer && (
              <a className="button primary" href={signInAddress(next)}>
                Sign in with {issuer}
              </a>
            )}
          </Notice>
        )}
      </main>
    </div>
  );
}

const HOW_ELSE =
  'Open a share link that somebody has sent you. An administrator signs in with the link that the server prints when it ' +
  'starts, or that “draftsmith token create --admin” makes.';

/** An administrator's link: used by a button, so that a preview of the address uses nothing up. */
function ByLink({ token, next }: { token: string; next: string }) {
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const signIn = async () => {
    setIsBusy(true);
    try {
      await signInByLink(token, name.trim());
      cache.clear();
      window.location.replace(ROOT_PATH + next);
    } catch (problem) {
      setError(problem);
      setIsBusy(false);
    }
  };
  return (
    <form
      className="access-card"
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <h1>Sign in as an administrator</h1>
      <p>This link works once. Administrators change settings, see and remove people, and make keys.</p>
      <Field
        label="Your name"
        hint="Shown to others beside your changes"
        error={error ? explainError(error).title : undefined}
      >
        {(wiring) => (
          <input
            {...wiring}
            value={name}
            maxLength={60}
            autoComplete="name"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="button primary" disabled={isBusy || !name.trim()}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}

/** A path of this server. */
function ownPath(path: string | null): string {
  return path?.startsWith('/') && !path.startsWith('//') && !path.includes('\\') ? path : '/';
}
