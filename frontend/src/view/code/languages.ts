/**
 * The languages in which code is coloured, in Write, Read and exports; the parser of each is loaded when a document has
 * code in it. Not here: colours (`codeLook.ts`).
 */
import {
  LanguageDescription,
  LanguageSupport,
  StreamLanguage,
  type StreamParser,
} from '@codemirror/language';

const language = (names: string, load: () => Promise<LanguageSupport>): [string[], LanguageDescription] => {
  const all = names.split(' ');
  return [all, LanguageDescription.of({ name: all[0] as string, load })];
};

const stream = (names: string, load: () => Promise<StreamParser<unknown>>) =>
  language(names, async () => new LanguageSupport(StreamLanguage.define(await load())));

const javascript = () => import('@codemirror/lang-javascript');
const clike = () => import('@codemirror/legacy-modes/mode/clike');

const LANGUAGES = [
  language('javascript js mjs cjs jsx node', async () => (await javascript()).javascript({ jsx: true })),
  language('typescript ts mts cts', async () => (await javascript()).javascript({ typescript: true })),
  language('tsx', async () => (await javascript()).javascript({ jsx: true, typescript: true })),
  language('python py python3', async () => (await import('@codemirror/lang-python')).python()),
  language('json jsonc json5 ndjson', async () => (await import('@codemirror/lang-json')).json()),
  language('yaml yml', async () => (await import('@codemirror/lang-yaml')).yaml()),
  language('sql postgres postgresql mysql sqlite', async () => (await import('@codemirror/lang-sql')).sql()),
  language('go golang', async () => (await import('@codemirror/lang-go')).go()),
  language('rust rs', async () => (await import('@codemirror/lang-rust')).rust()),
  language('java', async () => (await import('@codemirror/lang-java')).java()),
  language('cpp c c++ h hpp cc', async () => (await import('@codemirror/lang-cpp')).cpp()),
  language('css', async () => (await import('@codemirror/lang-css')).css()),
  language('html htm', async () => (await import('@codemirror/lang-html')).html()),
  language('xml svg xsd', async () => (await import('@codemirror/lang-xml')).xml()),
  language('php', async () => (await import('@codemirror/lang-php')).php()),
  stream('shell sh bash zsh', async () => (await import('@codemirror/legacy-modes/mode/shell')).shell),
  stream(
    'dockerfile docker',
    async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  ),
  stream('toml', async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
  stream('diff patch', async () => (await import('@codemirror/legacy-modes/mode/diff')).diff),
  stream('ruby rb', async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  stream('lua', async () => (await import('@codemirror/legacy-modes/mode/lua')).lua),
  stream('swift', async () => (await import('@codemirror/legacy-modes/mode/swift')).swift),
  stream(
    'groovy gradle jenkinsfile',
    async () => (await import('@codemirror/legacy-modes/mode/groovy')).groovy,
  ),
  stream('powershell ps1', async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell),
  stream(
    'ini properties env',
    async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  ),
  stream('nginx', async () => (await import('@codemirror/legacy-modes/mode/nginx')).nginx),
  stream('protobuf proto', async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf),
  stream('kotlin kt kts', async () => (await clike()).kotlin),
  stream('csharp cs c#', async () => (await clike()).csharp),
  stream('scala', async () => (await clike()).scala),
];

const byName = new Map(LANGUAGES.flatMap(([names, found]) => names.map((name) => [name, found] as const)));

/** The language that the words behind a fence name, as in `ts title="a.ts"`; null for one that is not coloured. */
export function languageOf(info: string): LanguageDescription | null {
  const [name = ''] = info
    .trim()
    .slice(0, 100)
    .toLowerCase()
    .split(/[\s,{:]/, 1);
  return byName.get(name) ?? null;
}
