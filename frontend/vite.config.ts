import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { TIMEOUT_MS } from './e2e/timeout.ts';
import { lighterD3 } from './scripts/lighterD3.mjs';
import { shorterIcons } from './scripts/shorterIcons.mjs';
import { typeIcons } from './scripts/typeIcons.ts';

const packagesIn = (...names: string[]) =>
  new RegExp(`[\\\\/]node_modules[\\\\/](${names.join('|')})[\\\\/]`);

const ICONS =
  '(createLucideIcon|Icon|defaultAttributes|context|x|check|cloud-off|workflow|command|download|file-text|keyboard|plus|search|chevron-(right|down)|sparkles|footprints|settings|pencil-line|monitor|moon|sun|trash|key-round|bot|copy|circle-check|rotate-ccw-clock|loader-circle)';
const UI =
  '(?!Avatar|ConfirmDialog|Field|Select|NewSecret|SearchField|overlayParts|pictureTurns|time|useThrottledValue)\\w+';
const OF_EVERY_PAGE = new RegExp(
  [
    'node_modules/(@tanstack/(?!.*[Ii]nfinite)|(wouter|regexparam|get-nonce)/)',
    `node_modules/lucide-react/.*/${ICONS}\\.m?js`,
    'src/view/queries\\.ts',
    'src/view/(commands/(commands|keys|themeCommands)|shell/(AppBar|ProfileButton))\\.tsx?',
    `src/view/ui/(\\w+/)?${UI}\\.tsx?`,
  ]
    .join('|')
    .replaceAll('/', '[\\\\/]'),
);
const OF_EVERY_WORKSPACE = new RegExp(
  [
    'src/model/(drawing/(boxes|compare|drawing|legible|moved/(moved|staying)Lines|viewport)|words/search|gestures/(clip|deletion|group)|core/(changeParts|handRoutes|numbers|textDiff|myers)|text/nodeLink|assistant/workflows)\\.ts',
    'src/protocol/(history|forms)\\.ts',
    'src/sync/(client/indexedDatabase|session/backoff)\\.ts',
    'src/view/(gestures/(actions|lastCopy)|canvas/canvasState|drawing/(textWidth|typeIcons|TypeTile)|history/useUndoRequest)\\.tsx?',
    'node_modules/lucide-react/.*/(minus|sliders-horizontal)\\.m?js',
  ]
    .join('|')
    .replaceAll('/', '[\\\\/]'),
);

const OF_EVERY_DOCUMENT = new RegExp(
  [
    'src/model/text/(links|lineStarts|syntax/mathsInLine)\\.ts',
    'src/view/(context/offeredFiles|images/takenFiles|ui/useThrottledValue)\\.ts',
    'node_modules/lucide-react/.*/(message-square-diff|unfold-vertical|book-open|ellipsis|letter-h)\\.m?js',
  ]
    .join('|')
    .replaceAll('/', '[\\\\/]'),
);

const ON_EVERY_PAGE = /\/(rolldown-runtime|react|preload|page|choices)-[\w-]+\.js$/;
const IN_EVERY_WORKSPACE = /\/(workspace|WorkspacePage|EditorContext|flow|d3)-[\w-]+\.js$/;

/** Whether a file was loaded before a part is asked for by another file. */
const isThere = (file: string, host: string): boolean =>
  ON_EVERY_PAGE.test(file) || (IN_EVERY_WORKSPACE.test(file) && IN_EVERY_WORKSPACE.test(`/${host}`));

const SERVER = process.env.DRAFTSMITH_URL ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react(), lighterD3(), shorterIcons(), typeIcons()],
  // What these libraries bring for older versions of React is React's own since 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  // The server puts a fresh one in its place for every page (backend/draftsmith/api/routes/pages.py).
  // Files find each other beside themselves, so that a proxy may serve them below any path; the server writes that
  // path into the pages.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  html: { cspNonce: 'DRAFTSMITH-NONCE' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // New enough for light-dark(), which the colour tokens are made of.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The security policy of the pages allows files of this origin and no data: addresses for scripts or styles.
    assetsInlineLimit: 0,
    // Which file is in which chunk: read by scripts/budget.mjs.
    manifest: 'chunks.json',
    // What is read first is measured by that script; the large ones (Mermaid, layout) are read when they are needed.
    chunkSizeWarningLimit: 3000,
    modulePreload: {
      // Every browser that knows the colours above knows this, too.
      polyfill: false,
      // What is there already is not named again with each part that is loaded later.
      resolveDependencies: (_, files, { hostId, hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !isThere(file, hostId)),
    },
    rollupOptions: {
      // The editor, and the frame that draws Mermaid diagrams.
      input: ['index.html', 'mermaid.html'],
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: packagesIn('react', 'react-dom', 'scheduler', 'use-sync-external-store') },
            { name: 'flow', test: packagesIn('@xyflow', 'zustand') },
            // Or it would go with one of the others, and take that along into the frame.
            { name: 'preload', priority: 3, test: /preload-helper/ },
            { name: 'choices', priority: 3, test: /src[\\/](protocol[\\/]types|sync[\\/]preferences)\.ts/ },
            // What every page needs, in one piece: in many it would be packed worse.
            { name: 'page', priority: 2, test: OF_EVERY_PAGE },
            // Likewise what a workspace needs first, and its dialogs later.
            { name: 'workspace', priority: 2, test: OF_EVERY_WORKSPACE },
            // The frame that draws Mermaid needs it, too, and no more of the document.
            { name: 'purify', priority: 3, test: packagesIn('dompurify') },
            { name: 'document', priority: 2, test: OF_EVERY_DOCUMENT },
            // What Read and Write know of them, in one piece.
            {
              name: 'images',
              priority: 2,
              test: /src[\\/]model[\\/]text[\\/](images|codeSpans|syntax[\\/]frontMatter)\.ts/,
            },
            // Or it would go with the next.
            { name: 'd3-color', priority: 2, test: packagesIn('d3-color') },
            // What the canvas needs of it and no more: Mermaid, which needs it all, is no part of the first load.
            {
              name: 'd3',
              // Or it would go with those that need it.
              priority: 1,
              test: /[\\/](node_modules[\\/]d3-(dispatch|drag|selection|zoom)[\\/]|d3-interpolate[^?]*\?canvas|canvas[\\/](interpolation|lateTransitions)\.ts)/,
            },
          ],
        },
      },
    },
  },
  server: {
    // The layout engine, the font of pictures and icons of technologies are files of the built editor, which the server serves.
    proxy: {
      '/api': { target: SERVER, ws: true },
      '/engine': { target: SERVER },
      '/icons': { target: SERVER },
      '/assets/icons': { target: SERVER },
      '/picture': { target: SERVER },
    },
  },
  test: {
    // A DOM takes longer to make than most tests; files that need one say so.
    environment: 'node',
    include: ['tests/**/*.test.{ts,tsx}'],
    // Threads that go on to the next file with the modules they have: none of the files changes what another sees.
    pool: 'threads',
    isolate: false,
    // Only a hang takes longer, however busy the machine; what is timed is in bench/.
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
  },
});
