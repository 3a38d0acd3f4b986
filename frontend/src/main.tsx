/** The editor's entry: the theme first, then the page that the address names. */
import { createRoot } from 'react-dom/client';
import { applyTheme, recallTheme } from './sync/preferences';
import { App } from './view/App';

applyTheme(recallTheme());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(<App />);
