// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, MAX_ELEMENTS, MAX_HTML, markdownOf } from '../../src/view/document/paste/richText';

const PAGE = 'https://draft.example/w/shop';
const read = (html: string) => markdownOf(html, PAGE);

describe('rich text of', () => {
  it('Google Docs: marks, lists in lists, check lists, headings, counted links', () => {
    const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:700">Rollout</span></h2>
<p dir="ltr"><span style="font-weight:400">Some </span><span style="font-weight:700">bold</span><span style="font-weight:700"> words</span><span style="font-style:italic">, then</span><span>&nbsp; a </span><a href="https://www.google.com/url?q=https://example.org/a_b&amp;sa=D" style="text-decoration:none"><span>link</span></a></p>
<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>one</span></p></li><ul><li aria-level="2"><p role="presentation"><span>nested</span></p></li></ul><li><p role="presentation"><span>two</span></p></li></ul>
<ul><li role="checkbox" aria-checked="true"><p><span>done</span></p></li><li role="checkbox" aria-checked="false"><p><span>open</span></p></li></ul></b>`;
    expect(read(html)).toBe(
      `## Rollout

Some **bold words**_, then_ a [link](https://example.org/a_b)

- one
  - nested
- two

- [x] done
- [ ] open`,
    );
  });

  it('Google Docs: one word', () => {
    const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-2"><span style="font-size:11pt;font-weight:700;white-space:pre;white-space:pre-wrap;">bold</span></b>`;
    expect(read(html)).toBe('**bold**');
    expect(read('<p>a<a href="https://example.org/"></a> <b>b</b></p>')).toBe('a **b**');
  });

  it('Google Docs: tables', () => {
    const html = `<b style="font-weight:normal"><div dir="ltr"><table style="border:none"><colgroup><col width="1"/></colgroup><tbody><tr><td style="border:solid"><p dir="ltr"><span style="font-weight:700">Name</span></p></td><td><p><span>Why | how</span></p></td></tr><tr><td><p><span>a</span></p></td><td><p><span>one</span></p><p><span>two</span></p></td></tr></tbody></table></div></b>`;
    expect(read(html)).toBe('| **Name** | Why \\| how |\n| --- | --- |\n| a | one<br>two |');
  });

  it('Word: lists that are paragraphs', () => {
    const item = (level: number, mark: string, words: string) =>
      `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`;
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0} --></style><xml><w:WordDocument></w:WordDocument></xml></head><body><!--StartFragment--><p class=MsoNormal><b>Plan</b><o:p></o:p></p>${item(1, '·', 'one')}${item(2, 'o', 'inner')}${item(1, '·', 'two')}<p class=MsoNormal>Then</p>${item(1, '1.', 'first')}${item(1, '2.', 'second')}<!--EndFragment--></body></html>`;
    expect(read(html)).toBe(`**Plan**

- one
  - inner
- two

Then

1. first
2. second`);
  });

  it('Excel and Sheets: tables; of one cell its text', () => {
    const html = `<html><body><table border=0><col width=64><tr height=20><td class=xl65>Service</td><td style="text-align:right">p99 ms</td></tr><tr><td>orders_api</td><td align=right>120</td></tr><tr><td colspan=2>both</td></tr></table></body></html>`;
    expect(read(html)).toBe('| Service | p99 ms |\n| --- | ---: |\n| orders_api | 120 |\n| both |  |');
    expect(read('<table><tr><td>120</td></tr></table>')).toBeNull();
  });

  it('Notion and GitHub: tasks, quotes, code with its language', () => {
    const html = `<ul><li><input type="checkbox" checked disabled> done</li><li><input type="checkbox"> open</li></ul><blockquote><p>quoted</p><p>twice</p></blockquote><div class="highlight highlight-source-py"><pre>def f():<br>    return "\`\`\`"</pre></div><p>Call <code>f()</code> and <kbd>Ctrl</kbd>.</p>`;
    expect(read(html)).toBe(
      '- [x] done\n- [ ] open\n\n> quoted\n>\n> twice\n\n```py\ndef f():\n    return "```"\n```\n\nCall `f()` and `Ctrl`.',
    );
  });

  it('Confluence: task lists, tables with heads and spans', () => {
    const html = `<ul class="inline-task-list"><li data-inline-task-id="1" class="checked"><span>done</span></li><li data-inline-task-id="2"><span>open</span></li></ul><div class="table-wrap"><table class="confluenceTable"><thead><tr><th class="confluenceTh"><strong>A</strong></th><th>B</th></tr></thead><tbody><tr><td rowspan="2"><p>x</p></td><td>1</td></tr><tr><td>2</td></tr></tbody></table></div>`;
    expect(read(html)).toBe('- [x] done\n- [ ] open\n\n| A | B |\n| --- | --- |\n| x | 1 |\n|  | 2 |');
  });

  it.each([
    [
      'VS Code',
      '<meta charset="utf-8"><div style="color:#ccc;font-family:Consolas;white-space:pre;"><div><span style="color:#569cd6">const</span> a_b = <b>1</b></div></div>',
    ],
    [
      'JetBrains',
      '<html><body><pre style="font-family:\'JetBrains Mono\'"><span style="font-weight:bold">def</span> f</pre></body></html>',
    ],
    ['a page, without marks', '<p>a snake_case * and <span style="color:red">red</span></p>'],
  ])('%s is plain', (_who, html) => {
    expect(read(html)).toBeNull();
  });

  it('this page: places of it are short links, others stay whole', () => {
    const html = `<p><a href="${PAGE}#node/orders">Orders</a> in <a href="${PAGE}#rollout-plan">Rollout</a>, <a href="https://draft.example/w/other#node/a">elsewhere</a>, <a href="https://example.org/">https://example.org/</a></p>`;
    expect(read(html)).toBe(
      '[Orders](#node/orders) in [Rollout](#rollout-plan), [elsewhere](https://draft.example/w/other#node/a), https://example.org/',
    );
  });

  it('Read: own images keep their address and their width', () => {
    const address = `images/${'ab'.repeat(32)}.png`;
    const shown = (more: string) =>
      `<p>Here <span class="image-frame"><img data-image="${address}" data-workspace="w" src="blob:x" alt="A [b]"${more}><span class="image-note">Uploading…</span></span></p>`;
    expect(read(shown(''))).toBe(`Here ![A \\[b\\]](${address})`);
    expect(read(shown(' width="320"'))).toBe(`Here <img src="${address}" alt="A [b]" width="320">`);
    expect(read(`<p><b>x</b><img data-image="https://a.example/${address}" src="blob:x"></p>`)).toBe('**x**');
  });
});

describe('hostile rich text', () => {
  it('leaves no address that runs something, no data and nothing hidden', () => {
    const html = `<p><b>x</b><script>alert(1)</script><style>p{}</style><a href="javascript:alert(1)">a</a><a href="data:text/html,x">b</a><img src="data:image/png;base64,AAAA"><img src=x onerror=alert(1)><span style="display:none">c</span><iframe src="https://example.org"></iframe></p>`;
    expect(read(html)).toBe('**x**ab');
  });

  it('writes markup that is text as text', () => {
    expect(
      read(
        '<p><b>k</b> &lt;script&gt; **no** `no` [a](b) &amp;lt; # x</p><p># no</p><p>1. no</p><p>- no</p>',
      ),
    ).toBe('**k** \\<script> \\*\\*no\\*\\* \\`no\\` [a\\](b) \\&lt; # x\n\n\\# no\n\n1\\. no\n\n\\- no');
  });

  it('is not converted past its bounds', () => {
    expect(read(`<b>x</b>${'<i>'.repeat(MAX_DEPTH + 2)}`)).toBeNull();
    expect(read('<em>x '.repeat(45_000))).toBeNull();
    expect(read(`${'<blockquote>'.repeat(90)}${'<p>a</p>'.repeat(3_000)}`)).toBeNull();
    expect(read(`<b>x</b>${'<br>'.repeat(MAX_ELEMENTS)}`)).toBeNull();
    expect(read(`<b>x</b>${' '.repeat(MAX_HTML)}`)).toBeNull();
  });
});
