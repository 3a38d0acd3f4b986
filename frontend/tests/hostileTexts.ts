/** Texts that are made to be slow: each grows to about the size that is asked for. */
const repeated = (part: string) => (size: number) => part.repeat(Math.ceil(size / part.length));

const runs = (size: number): string => {
  let text = '';
  for (let at = 1; text.length < size; at++) text += `${'`'.repeat((at % 400) + 1)}a`;
  return text;
};

const stairs = (size: number): string => {
  let text = '';
  for (let depth = 0; text.length < size; depth++) text += `${' '.repeat(2 * depth)}- a\n`;
  return text;
};

const table = (size: number): string => {
  const row = (cell: string) => `${`|${cell}`.repeat(Math.ceil(size / 6))}|\n`;
  return row('a') + row('-') + row('b');
};

export const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  backticks: repeated('`'),
  'runs of backticks': runs,
  brackets: repeated('['),
  'brackets in a heading': (size) => `# ${'['.repeat(size)}`,
  'a link that does not end': (size) => `[a](${' '.repeat(size)}"`,
  'links that do not end': repeated('[a]('),
  'links to nodes that do not end': repeated('[a](#node/'),
  'labels of links that do not begin': repeated('](#node/a)'),
  'images that do not end': repeated('!['),
  'pairs of brackets': repeated('[]'),
  'nested brackets': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested quotes': repeated('>'),
  'lines in nested quotes': repeated(`${'>'.repeat(200)}a\n`),
  'nested lists': repeated('- '),
  'lists, each in the one above': stairs,
  'marks that only open': repeated('*a '),
  'marks of two kinds': repeated('*_'),
  'marks in words': repeated('**a*'),
  'struck words': repeated('~~a '),
  'a wide table': table,
  references: repeated('[a]: b\n'),
  'references that do not end': repeated('[a]: "\n'),
  'a title that does not end': (size) => `[a]: b "\n${'a\n'.repeat(size / 2)}`,
  'titles that do not end': repeated('[a]: b "\n'),
  elements: repeated('<a '),
  comments: repeated('<!--'),
  addresses: repeated('http://a.b/('),
  'one address': repeated('http://'),
  'mail addresses': repeated('a@'),
  backslashes: repeated('\\'),
  lines: repeated('a\n'),
  'different lines': (size) => Array.from({ length: size / 8 }, (_, at) => `line ${at}`).join('\n'),
  headings: repeated('# a\n\n'),
  'a long word': repeated('a'),
  blanks: (size) => `a${' '.repeat(size)}b`,
  'empty lines': (size) => `a${'\n'.repeat(size)}b`,
  fences: repeated('```\n'),
  'comments in a paragraph': repeated('a<!--'),
  'instructions in a paragraph': repeated('a<?'),
  'tags with attributes that do not end': repeated("<a x='"),
  'tags in tags': (size) => `a ${'<sub>'.repeat(size / 11)}${'</sub>'.repeat(size / 11)}`,
  'tags that only open': repeated('a<kbd>'),
  'details in details': (size) =>
    `${'<details>\n\n'.repeat(size / 24)}a\n\n${'</details>\n\n'.repeat(size / 24)}`,
  'details that only open': repeated('<details>\n\n'),
  'details in one block': repeated('<details></details>'),
  'fields of a front matter': (size) => `---\na: b\n${`c: "${' '.repeat(90)}\n`.repeat(size / 94)}---\n`,
  'a front matter that does not end': (size) => `---\na: b\n${'c: d\n'.repeat(size / 5)}`,
  footnotes: (size) => Array.from({ length: size / 24 }, (_, at) => `a[^${at}]\n\n[^${at}]: b\n`).join('\n'),
  'references to one footnote': (size) => `[^a]: b\n\n${'[^a]'.repeat(size / 4)}`,
  'footnotes in footnotes': repeated('[^a]: '),
  'footnotes that do not end': repeated('[^a'),
  'marked words': repeated('==a '),
  'addresses without a scheme': repeated('www.a.'),
  'brackets behind an address': (size) => `www.a.de/${'('.repeat(size / 2)}${')'.repeat(size / 2)}`,
  'maths that does not end': repeated('$a '),
  'maths in pairs': repeated('$$a$'),
  'maths of one letter': repeated('$a$ '),
  'alerts in alerts': repeated('> [!NOTE]\n> a\n\n'),
  'words from right to left': repeated('א '),
  'marks over letters': repeated('a\u0301\u0302\u0303'),
  'changes of direction': repeated('\u202e\u2066a'),
};
