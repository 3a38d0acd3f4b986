/**
 * Builds `@draftsmith/client`, one ES module with its types, into dist/client. Run after the editor's own build, which
 * empties dist.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { defineConfig, type Plugin } from 'vite';

const SOURCE = 'src';
const ENTRY = 'src/client.ts';
const OUT = 'dist/client';
/** States the product's version. */
const VERSION = '../backend/draftsmith/__init__.py';

export default defineConfig({
  plugins: [described()],
  publicDir: false,
  build: {
    outDir: OUT,
    target: 'es2022',
    // Who builds on it reads its names in traces, and has a bundler of their own.
    minify: false,
    lib: { entry: ENTRY, formats: ['es'], fileName: 'draftsmith-client' },
  },
});

/** Adds what a package needs beside its code: the types, and a package.json that names both. */
function described(): Plugin {
  return {
    name: 'described',
    apply: 'build',
    closeBundle() {
      writeTypes();
      writePackage();
    },
  };
}

function writeTypes(): void {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([ENTRY], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: SOURCE,
    outDir: join(OUT, 'types'),
  });
  program.emit(undefined, (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withExtensions(text));
  });
  // The compiler leaves declarations that are sources themselves where they are.
  for (const name of readdirSync(join(SOURCE, 'protocol')).filter((name) => name.endsWith('.d.ts')))
    copyFileSync(join(SOURCE, 'protocol', name), join(OUT, 'types', 'protocol', name));
}

/** With the extension that Node's way of resolving asks for; a bundler's takes both. */
function withExtensions(text: string): string {
  return text.replaceAll(/(from |import\()'(\.[^']*)'/g, "$1'$2.js'");
}

/** The product's, which the Python package states; npm writes 0.2.0.dev0 as 0.2.0-dev.0. */
function productVersion(): string {
  const [, version] = /^__version__ = "(.+)"$/m.exec(readFileSync(VERSION, 'utf8')) ?? [];
  if (!version) throw new Error(`${VERSION} states no version`);
  return version.replace(/\.dev(\d+)$/, '-dev.$1');
}

function writePackage(): void {
  const { license, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const editor = '@codemirror/state';
  const description = {
    name: '@draftsmith/client',
    version: productVersion(),
    description:
      'The live state of a Draftsmith workspace: optimistic changes, co-typing, presence. No React.',
    license,
    type: 'module',
    sideEffects: false,
    // Built in; only who wants its types as well needs the package.
    peerDependencies: { [editor]: `^${dependencies[editor]}` },
    peerDependenciesMeta: { [editor]: { optional: true } },
    exports: { '.': { types: './types/client.d.ts', import: './draftsmith-client.js' } },
  };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}
