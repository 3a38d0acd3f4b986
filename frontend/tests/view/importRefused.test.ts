import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/model/text/importFormats';
import { ApiError } from '../../src/protocol/http';
import { ImportRefused } from '../../src/view/home/ImportDialog';

describe('an import that is refused', () => {
  it('shows the line and the reason that the server gives for Mermaid of another kind', () => {
    const kind = 'swimlane-beta\n lane A';
    expect(examine('mermaid', kind), 'a kind that the page does not know is sent').toMatchObject({
      isReadable: true,
    });
    const message =
      'Line 1: a flowchart begins with `flowchart` or `graph`; nothing was read. “swimlane-beta”';
    const error = new ApiError({
      status: 422,
      code: 'mermaid_unread',
      detail: `${message} Nothing was created.`,
      problems: [
        {
          index: -1,
          op: '',
          code: 'mermaid_unread',
          path: '/import/content',
          message,
          candidates: ['flowchart', 'graph'],
          remedy: 'fix',
        },
      ],
    });
    const shown = renderToStaticMarkup(createElement(ImportRefused, { error }));
    expect(shown).toContain('role="alert"');
    expect(shown).toContain('It was not imported');
    expect(shown).toContain(message);
  });

  it('names the kinds that Mermaid has before anything is sent', () => {
    for (const word of ['radar-beta', 'treemap-beta', 'zenuml', 'sankey', 'gantt', 'mindmap'])
      expect(examine('mermaid', `${word}\n`), word).toMatchObject({ title: `This is a Mermaid ${word}` });
  });
});
