import { describe, expect, test } from 'vitest';
import { deviceText } from '../../../src/model/words/device';
import { foldersCalled, foldersIn, foldersInTree, pathOf, pathText } from '../../../src/model/words/folders';

const FOLDERS = [
  { id: 'a', name: 'Archive', parent: null },
  { id: 'd', name: 'Drafts', parent: 't' },
  { id: 'o', name: 'Old', parent: 'd' },
  { id: 't', name: 'Team', parent: null },
];
const ids = (folders: readonly { id: string }[]) => folders.map(({ id }) => id);

describe('folders', () => {
  test('say where they lie', () => {
    expect(pathText(FOLDERS, 'o')).toBe('Team / Drafts / Old');
    expect(pathText(FOLDERS, null)).toBe('');
    expect(pathText(FOLDERS, 'gone')).toBe('');
    expect(ids(foldersIn(FOLDERS, null))).toEqual(['a', 't']);
  });

  test('are read as a tree, without what cannot be a target', () => {
    expect(foldersInTree(FOLDERS).map(({ folder, depth }) => `${folder.id}${depth}`)).toEqual([
      'a0',
      't0',
      'd1',
      'o2',
    ]);
    expect(foldersInTree(FOLDERS, 'd').map(({ folder }) => folder.id)).toEqual(['a', 't']);
  });

  test('in a circle, as no server sends them, hang nobody up', () => {
    const circle = [
      { id: 'x', name: 'X', parent: 'y' },
      { id: 'y', name: 'Y', parent: 'x' },
    ];
    expect(ids(pathOf(circle, 'x'))).toEqual(['y', 'x']);
    expect(foldersInTree(circle)).toEqual([]);
  });

  test('are found by a part of their name, in any case', () => {
    expect(ids(foldersCalled(FOLDERS, ' DRA'))).toEqual(['d']);
    expect(ids(foldersCalled(FOLDERS, ''))).toEqual(['a', 'd', 'o', 't']);
  });
});

describe('a browser', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile Safari/604.1',
      'Safari on iPhone',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'Unknown browser'],
  ])('%s', (agent, text) => expect(deviceText(agent)).toBe(text));
});
