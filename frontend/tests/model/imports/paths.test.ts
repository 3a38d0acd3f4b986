import { describe, expect, it } from 'vitest';
import { folderNameOf, mayBelong } from '../../../src/model/imports/paths';

const formats = [{ reader: 'markdown', title: 'Markdown', endings: ['.md'], media_type: 'text/markdown' }];

describe('files of a folder', () => {
  it.each([
    ['docs/a.md', true],
    ['docs/A.MD', true],
    ['docs/logo.png', true],
    ['shop/.env', true],
    ['.git/a.md', false],
    ['web/node_modules/x/README.md', false],
    ['web/bower_components/x/README.md', false],
    ['main.py', false],
  ])('%s: %s', (path, belongs) => {
    expect(mayBelong(path, formats)).toBe(belongs);
  });

  it('give the folder its name where they are of one', () => {
    expect(folderNameOf(['docs/a.md', 'docs/b/c.md'])).toBe('docs');
    expect(folderNameOf(['plans.zip'])).toBe('plans');
    expect(folderNameOf(['a.md', 'b.md'])).toBe('Import');
    expect(folderNameOf(['docs/a.md', 'other/b.md'])).toBe('Import');
  });
});
