/** The page of an unknown address, or of a workspace that does not exist or is not accessible. */
import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import { Notice } from '../ui/Notice';
import { useTitle } from '../ui/useTitle';
import { AppBar } from './AppBar';

const WORDS = {
  page: {
    title: 'There is no such page',
    advice: 'The address may be mistyped, or the page may have moved.',
  },
  workspace: {
    title: 'This workspace is not here',
    advice: 'It may be in the trash, or you may not have access to it.',
  },
};

export function NotFoundPage({ what }: { what: keyof typeof WORDS }) {
  useTitle('Not found');
  return (
    <div className="page">
      <AppBar />
      <main className="page-centre">
        <Notice icon={Compass} heading="h1" {...WORDS[what]}>
          <Link href="/" className="button primary">
            Go to all workspaces
          </Link>
        </Notice>
      </main>
    </div>
  );
}
