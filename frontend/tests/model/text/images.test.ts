/** References to images in a document, and what a file is by its bytes. */
import { describe, expect, it } from 'vitest';
import {
  altOf,
  hashOfImage,
  imageAddress,
  imageMarkdown,
  imagesIn,
  imagesMarkdown,
  imageTypeOf,
  resizedImage,
  withWidth,
} from '../../../src/model/text/images';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const PNG = imageAddress(HASH, 'image/png');
const JPG = imageAddress(OTHER, 'image/jpeg');

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('addresses', () => {
  it('are images/<sha256>.<extension>, and nothing else is an own image', () => {
    expect(PNG).toBe(`images/${HASH}.png`);
    expect(hashOfImage(PNG)).toBe(HASH);
    for (const other of [
      `/images/${HASH}.png`,
      `images/${HASH}.exe`,
      `images/${HASH.toUpperCase()}.png`,
      `images/../${HASH}.png`,
      `https://example.com/images/${HASH}.png`,
      `images/${HASH}.png?x`,
    ])
      expect(hashOfImage(other)).toBeNull();
  });
});

describe('what a file is', () => {
  it.each([
    ['image/png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])],
    ['image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
    ['image/gif', bytesOf('GIF89a…')],
    ['image/webp', bytesOf('RIFF1234WEBPVP8 ')],
    ['image/svg+xml', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    [
      'image/svg+xml',
      bytesOf('\ufeff<?xml version="1.0"?>\n<!-- by hand -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg>'),
    ],
    [null, bytesOf('<html><svg></svg></html>')],
    [null, bytesOf('%PDF-1.7')],
    [null, bytesOf('RIFF1234WAVEfmt ')],
    [null, new Uint8Array()],
  ])('is %s by its first bytes', (type, bytes) => expect(imageTypeOf(bytes)).toBe(type));
});

describe('the alternative text of a new image', () => {
  it('is the name of its file where that says something', () => {
    expect(altOf('Order flow_v2.png')).toBe('Order flow v2');
    for (const empty of ['image.png', 'IMG_2041.jpeg', 'image (3).png', '', 'DSC-001.JPG', '2026-11-28.png'])
      expect(altOf(empty)).toBe('Image');
  });

  it('cannot end the reference, and is where the caret is put', () => {
    expect(imageMarkdown('a ] b\nc', PNG)).toBe(`![a \\] b c](${PNG})`);
    const { insert, altFrom, altTo } = imagesMarkdown([
      { alt: 'x]y', address: PNG },
      { alt: 'z', address: JPG },
    ]);
    expect(insert).toBe(`![x\\]y](${PNG})\n\n![z](${JPG})`);
    expect(insert.slice(altFrom, altTo)).toBe('x\\]y');
  });
});

describe('references', () => {
  it('are found in Markdown and in HTML, with alternative text and width, and not in code', () => {
    const markdown = `![A \\] b](${PNG} "Title")`;
    const html = `<img src="${JPG}" alt="x &amp; &quot;y&quot;" width="320">`;
    const text = `Before ${markdown} and ${html}.\n\`![a](${PNG})\`\n\`\`\`\n![b](${PNG})\n\`\`\`\n`;
    const found = imagesIn(text);
    expect(found.map(({ from, to }) => text.slice(from, to))).toEqual([markdown, html]);
    expect(found).toMatchObject([
      { address: PNG, alt: 'A ] b', width: null },
      { address: JPG, alt: 'x & "y"', width: 320 },
    ]);
  });

  it('are not what merely holds such an address', () => {
    for (const text of [
      PNG,
      `[a link](${PNG})`,
      `![a](${PNG}`,
      `<img alt="${PNG}" src="other.png">`,
      `<img onerror=x src="${PNG}">`,
      `![a](https://example.com/${PNG})`,
    ])
      expect(imagesIn(text)).toEqual([]);
  });

  it('are found in time that grows with the text alone', () => {
    const text = `![${'['.repeat(400)}](${PNG}) `.repeat(2_000);
    expect(imagesIn(text)).toHaveLength(0);
    expect(imagesIn(`![a](${PNG}) `.repeat(5_000))).toHaveLength(5_000);
  });
});

describe('a width', () => {
  it('turns the reference into an <img>, is changed there, and taken away again', () => {
    const text = `One ![A "b" & c](${PNG}).`;
    const image = imagesIn(text)[0];
    if (!image) throw new Error('no image');
    const wide = text.slice(0, image.from) + withWidth(image, 320.4) + text.slice(image.to);
    expect(wide).toBe(`One <img src="${PNG}" alt="A &quot;b&quot; &amp; c" width="320">.`);
    const again = imagesIn(wide)[0];
    expect(again).toMatchObject({ alt: image.alt, width: 320 });
    expect(again && withWidth(again, null)).toBe(`![A "b" & c](${PNG})`);
    expect(again && withWidth(again, 1)).toContain('width="32"');
  });

  const shown = { address: PNG, at: 1, of: 2, alt: 'b', width: null };

  it('is given to the reference that was seen, also where others have typed before it', () => {
    const now = `New. ![a](${PNG}) ![b](${PNG})`;
    const change = resizedImage(now, shown, 200);
    expect(change && now.slice(change.from, change.to)).toBe(`![b](${PNG})`);
  });

  it('is given to the one like it where only a part of the document is shown', () => {
    const now = `![a](${PNG}) ![b](${PNG})`;
    const change = resizedImage(now, { ...shown, at: 0, of: 1 }, 200);
    expect(change && now.slice(change.from, change.to)).toBe(`![b](${PNG})`);
    expect(resizedImage(`![b](${PNG}) ${now}`, { ...shown, at: 0, of: 1 }, 200)).toBeNull();
  });

  it('is changed by no more than its digits', () => {
    const now = `A <img src="${PNG}" alt="b" width="280">.`;
    const wide = { address: PNG, at: 0, of: 1, alt: 'b', width: 280 };
    const change = resizedImage(now, wide, 290);
    expect(change).toEqual({ from: now.indexOf('80"'), to: now.indexOf('0">.'), insert: '9' });
    const longer = resizedImage(now, wide, 2280);
    expect(longer && now.slice(0, longer.from) + longer.insert + now.slice(longer.to)).toBe(
      now.replace('280', '2280'),
    );
    expect(resizedImage(now, wide, 280)).toMatchObject({ insert: '' });
  });

  it('is given to nothing where the reference is another now', () => {
    expect(resizedImage('', shown, 200)).toBeNull();
    expect(resizedImage(`![a](${PNG}) <img src="${PNG}" alt="b" width="40">`, shown, 200)).toBeNull();
    expect(
      resizedImage(`![a](${PNG}) ![b](${PNG}) ![c](${JPG})`, { ...shown, of: 3, alt: 'z' }, 2),
    ).toBeNull();
  });
});
