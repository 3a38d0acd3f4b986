/** The editor's entry: theme and nonce first, then the page that the address names. */
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { applyTheme, recallTheme } from './sync/preferences';
import { App } from './view/App';

applyTheme(recallTheme());

// What packages write into <style> elements is allowed with the nonce of this showing of the page alone.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(<App />);
