/** In place of a workspace for which one is not signed in (any more). What waits in this browser stays there. */
import { KeyRound } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { counted } from '../../model/words/kinds';
import { useLive } from '../context/EditorContext';
import { AppBar } from '../shell/AppBar';
import { Notice } from '../ui/Notice';
import { useTitle } from '../ui/useTitle';

export function SignedOutPage() {
  useTitle('Sign in');
  const pending = useLive((live) => live.status.pending);
  const kept =
    pending > 0 ? ` ${counted(pending, 'change')} of yours wait in this browser until you are back.` : '';
  const [path] = useLocation();
  const next = encodeURIComponent(path);
  return (
    <div className="page">
      <AppBar />
      <main className="page-centre">
        <Notice
          icon={KeyRound}
          heading="h1"
          title="Sign in to open this workspace"
          advice={`You are not signed in here, or what let you in has ended.${kept}`}
        >
          <Link href={`/sign-in?next=${next}`} className="button primary">
            Sign in
          </Link>
        </Notice>
      </main>
    </div>
  );
}
