/** The router, and what all pages share: the query cache, toasts, the outermost error boundary. */
import './styles/tokens.css';
import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ROOT_PATH } from '../protocol/root';
import { createQueryClient } from './queries';
import { NotFoundPage } from './shell/NotFoundPage';
import { FailureBoundary } from './ui/failure/FailureBoundary';
import { later } from './ui/loading/later';
import { Tips } from './ui/overlay/Tips';
import { ToastProvider } from './ui/overlay/Toasts';

// A page of a workspace does not need the list of workspaces.
const HomePage = later(async () => (await import('./home/HomePage')).HomePage, <Loading />);
// The canvas and the Markdown renderer are needed only once a workspace is open.
const WorkspacePage = later(
  async () => (await import('./workspace/WorkspacePage')).WorkspacePage,
  <Loading />,
);

const SignInPage = later(async () => (await import('./access/SignInPage')).SignInPage, <Loading />);
const SharePage = later(async () => (await import('./access/SharePage')).SharePage, <Loading />);

/** A socket is refused without a reason where this does not hold, which looks as if the server were down. */
const IS_ID = /^[0-9a-hjkmnp-tv-z]{26}$/;

function Loading() {
  return <div className="page-loading" role="status" aria-label="Loading" />;
}

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <StrictMode>
      <FailureBoundary>
        <QueryClientProvider client={client}>
          <ToastProvider>
            <Router base={ROOT_PATH}>
              <Switch>
                <Route path="/">
                  <HomePage />
                </Route>
                <Route path="/sign-in">
                  <SignInPage />
                </Route>
                <Route path="/s">
                  <SharePage />
                </Route>
                <Route path="/w/:id">
                  {({ id }) =>
                    IS_ID.test(id) ? <WorkspacePage key={id} id={id} /> : <NotFoundPage what="workspace" />
                  }
                </Route>
                <Route>
                  <NotFoundPage what="page" />
                </Route>
              </Switch>
            </Router>
            <Tips />
          </ToastProvider>
        </QueryClientProvider>
      </FailureBoundary>
    </StrictMode>
  );
}
