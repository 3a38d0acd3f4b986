/** Builds the editor, then the client library, the layout engine, what draws pictures and what reads charts on the server, the page for programs of agents, icons of technologies and the service worker beside it, and packs all: `npm run build [-- --logLevel warn]`. */
import { build } from 'vite';
import { buildOffline } from './offline.mjs';
import { pack } from './pack.mjs';
import { writeTechnologyIcons } from './technologyIcons.mjs';

const at = process.argv.indexOf('--logLevel');
const logLevel = at < 0 ? 'info' : process.argv[at + 1];
for (const configFile of [
  'vite.config.ts',
  'vite.client.config.ts',
  'vite.engine.config.ts',
  'vite.picture.config.ts',
  'vite.charts.config.ts',
  'vite.agent.config.ts',
])
  await build({ configFile, logLevel });
await buildOffline('dist');
await writeTechnologyIcons('dist');
await pack('dist');
