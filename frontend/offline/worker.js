/**
 * The service worker of the editor: where the server cannot be reached, a page of the editor that is opened or reloaded in a
 * window is answered with the offline page, which it carries. It stores nothing and answers nothing else: requests of pages,
 * the API, frames and other addresses take their usual way (docs/decisions/0050-an-offline-page.md).
 */
const PAGE = DRAFTSMITH_PAGE;
const POLICY = DRAFTSMITH_POLICY;
/** With a slash at its end. */
const ROOT = new URL(self.registration.scope).pathname;
const OURS = /^(|sign-in|s|w\/[^/]+)$/;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, searchParams } = new URL(request.url);
  // In frames the destination is another.
  const isPage = request.mode === 'navigate' && request.destination === 'document' && request.method === 'GET';
  if (!isPage || !OURS.test(pathname.slice(ROOT.length)) || searchParams.get('embed') === '1') return;
  event.respondWith(fetch(request).catch(offlinePage));
  event.waitUntil(leaveIfGone());
});

function offlinePage() {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  };
  return new Response(PAGE.replace('DRAFTSMITH-ROOT', ROOT), { status: 503, headers });
}

/** Browsers keep a worker whose script is gone, as after a return to a version without it: then it removes itself. */
async function leaveIfGone() {
  const { status } = await fetch(self.location.href, { cache: 'no-cache' }).catch(() => ({ status: 0 }));
  if (status === 404 || status === 410) await self.registration.unregister();
}
