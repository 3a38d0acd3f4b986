// @vitest-environment jsdom
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { htmlImage, markdownImage } from '../../../src/model/export/pictureLink';

const URL = 'https://drafts.example/api/v1/picture.svg?link=dsp_x-_1';
const NAMES = [
  'Shop',
  'a](https://evil.example) ![b',
  '<img src=x onerror=alert(1)>',
  '&amp; "q" \'s\' \\',
  '`*_[x]!',
];

describe('a picture in a wiki', () => {
  test.each(NAMES)('is one image in Markdown and in HTML, whatever its name: %s', (name) => {
    const [paragraph] = new MarkdownIt().parseInline(markdownImage(URL, name, 'dark'), {});
    const images = paragraph?.children ?? [];
    expect(images.map(({ type }) => type)).toEqual(['image']);
    expect(images[0]?.attrGet('src')).toBe(`${URL}&theme=dark`);
    expect(images[0]?.children?.map(({ content }) => content).join('')).toBe(name);
    const page = new DOMParser().parseFromString(htmlImage(URL, name, 'both'), 'text/html');
    const found = [...page.body.querySelectorAll('*')].map(({ tagName }) => tagName);
    expect(found).toEqual(['PICTURE', 'SOURCE', 'IMG']);
    expect(page.querySelector('img')?.getAttribute('alt')).toBe(name);
    expect(page.querySelector('img')?.getAttribute('src')).toBe(URL);
    expect(page.querySelector('source')?.getAttribute('srcset')).toBe(`${URL}&theme=dark`);
  });

  test('has one theme where one was chosen', () => {
    expect(htmlImage(URL, 'Shop', 'dark')).toBe(`<img src="${URL}&amp;theme=dark" alt="Shop"/>`);
    expect(markdownImage(URL, 'Shop', 'light')).toBe(`![Shop](${URL})`);
  });
});
