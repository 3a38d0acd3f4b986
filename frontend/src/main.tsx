/** The editor's entry: theme, keys and nonce first, then the page that the address names. */
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { ROOT_PATH } from './protocol/root';
import { applyTheme, recallTheme } from './sync/preferences';
import { App } from './view/App';
import { whenIdle } from './view/ui/loading/whenIdle';
import { watchKeys } from './view/ui/pressed';

applyTheme(recallTheme());
watchKeys(window);

// Packages that write into <style> elements need the nonce of this very response.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(<App />);

// The offline page (frontend/offline), once this one is there. Browsers have it over HTTPS and on localhost only.
if (import.meta.env.PROD && window.top === window)
  window.addEventListener('load', () =>
    whenIdle(() => void navigator.serviceWorker?.register(`${ROOT_PATH}/offline.js`).catch(() => undefined)),
  );
