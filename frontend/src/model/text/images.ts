/**
 * Images in the text of a document: addresses of a workspace's own images, `images/<sha256>.png`, how a reference is
 * written, found and given a width, and what a file is by its first bytes. Pure. Not here: the bytes.
 */
import { withoutCode } from './codeSpans';

const EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
} as const;

export type ImageType = keyof typeof EXTENSIONS;

/** What a file chooser offers. */
export const IMAGE_TYPES = Object.keys(EXTENSIONS) as ImageType[];
export const IMAGE_KINDS = 'PNG, JPEG, GIF, WebP and SVG';

/** Bytes that one image may have, as on the server. */
export const MAX_IMAGE_BYTES = 10_000_000;
/** Pixels that a side of an image may have, as on the server. */
export const MAX_IMAGE_SIDE = 16_384;
/** The least and the greatest width that an image is given, in pixels. */
export const MIN_WIDTH = 32;
export const MAX_WIDTH = 4_096;

const FOLDER = 'images/';
const ADDRESS = /^images\/([0-9a-f]{64})\.(png|jpg|gif|webp|svg)$/;

/** The address by which a document refers to an image of its workspace. */
export const imageAddress = (sha256: string, type: ImageType): string =>
  `${FOLDER}${sha256}.${EXTENSIONS[type]}`;

/** The hash in the address of an own image; null for any other address. */
export const hashOfImage = (address: string): string | null => ADDRESS.exec(address)?.[1] ?? null;

/** What a file is by its bytes, whatever its name says; null for what is none of the images that are known here. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const begins = (...signs: number[]) => signs.every((sign, at) => bytes[at] === sign);
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  return isSvg(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD))) ? 'image/svg+xml' : null;
}

/** So far its root element is looked for. */
const SVG_HEAD = 4_096;

/** Whether a text begins with an `svg` element, behind declarations and comments. */
function isSvg(head: string): boolean {
  const ahead = /^\s*(?:<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\][^>]*)?>)/i;
  let rest = head;
  for (let found = ahead.exec(rest); found; found = ahead.exec(rest)) rest = rest.slice(found[0].length);
  return /^\s*<svg[\s>]/.test(rest);
}

/** The alternative text that a file's name suggests; it is there to be written over. */
export function altOf(fileName: string): string {
  const words = fileName
    .replace(/\.\w{1,5}$/, '')
    .replace(/[_\s]+/g, ' ')
    .trim();
  // Names that clipboards and cameras give say nothing.
  return words === '' || /^(image|img|dsc|pasted|unnamed|download)?[\s\d().-]*$/i.test(words)
    ? 'Image'
    : words.slice(0, 200);
}

/** A reference as it is written in Markdown. */
export const imageMarkdown = (alt: string, address: string): string => `![${escaped(alt)}](${address})`;

const escaped = (alt: string): string => alt.replace(/[\\[\]`*_<>]/g, '\\$&').replace(/\s+/g, ' ');
const unescaped = (markdown: string): string => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** References to several images as they are inserted at once, and where the alternative text of the first stands in it. */
export function imagesMarkdown(images: readonly { alt: string; address: string }[]) {
  const insert = images.map(({ alt, address }) => imageMarkdown(alt, address)).join('\n\n');
  return { insert, altFrom: 2, altTo: 2 + escaped(images[0]?.alt ?? '').length };
}

export interface ImageReference {
  from: number;
  to: number;
  address: string;
  alt: string;
  /** In pixels, where one was given. */
  width: number | null;
}

/** What a reference may measure; it keeps the search linear. */
const MAX_REFERENCE = 2_000;

/** All references to own images outside of code, in the order of the text: `![…](…)` and `<img …>`. */
export function imagesIn(text: string): ImageReference[] {
  if (!text.includes(FOLDER)) return [];
  const prose = withoutCode(text);
  const found: ImageReference[] = [];
  for (let at = prose.indexOf(FOLDER); at >= 0; at = prose.indexOf(FOLDER, at + FOLDER.length)) {
    const address = /^images\/[0-9a-f]{64}\.\w{3,4}(?!\w)/.exec(prose.slice(at, at + 80))?.[0] ?? '';
    if (hashOfImage(address) === null) continue;
    const image = inMarkdown(text, at, address) ?? inHtml(text, at, address);
    if (image && image.from >= (found.at(-1)?.to ?? 0)) found.push(image);
  }
  return found;
}

const AHEAD = /!\[((?:[^[\]\\\n]|\\[^\n])*)\]\(\s*<?$/;
const BEHIND = /^>?(?:\s{1,100}(?:"[^"\n]*"|'[^'\n]*'))?\s{0,100}\)/;

function inMarkdown(text: string, at: number, address: string): ImageReference | null {
  const ahead = AHEAD.exec(text.slice(Math.max(0, at - MAX_REFERENCE), at));
  const end = at + address.length;
  const behind = ahead && BEHIND.exec(text.slice(end, end + MAX_REFERENCE));
  if (!ahead || !behind) return null;
  const alt = unescaped(ahead[1] ?? '');
  return { from: at - ahead[0].length, to: end + behind[0].length, address, alt, width: null };
}

function inHtml(text: string, at: number, address: string): ImageReference | null {
  const before = Math.max(0, at - MAX_REFERENCE);
  const from = text.slice(before, at).lastIndexOf('<img');
  const end = at + address.length;
  const behind = text.slice(end, end + MAX_REFERENCE).indexOf('>');
  if (from < 0 || behind < 0) return null;
  const tag = text.slice(before + from, end + behind + 1);
  const attributes = attributesOf(tag);
  if (attributes?.get('src') !== address) return null;
  const width = Number(/^\d{1,5}$/.exec(attributes.get('width') ?? '')?.[0] ?? Number.NaN);
  return {
    from: before + from,
    to: end + behind + 1,
    address,
    alt: attributes.get('alt') ?? '',
    width: Number.isNaN(width) ? null : width,
  };
}

/** The attributes of an `<img>`; null where it is none as a whole. */
function attributesOf(tag: string): Map<string, string> | null {
  const body = /^<img((?:\s+[\w-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*\/?>$/i.exec(tag)?.[1];
  if (body === undefined) return null;
  const pairs = body.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(
    [...pairs].map(([, name = '', one, other]) => [name.toLowerCase(), read(one ?? other ?? '')]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const read = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
const quoted = (value: string): string =>
  value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** The reference with a width, in the form that code hosts draw as well; without one it is plain Markdown. */
export function withWidth(
  { alt, address }: Pick<ImageReference, 'alt' | 'address'>,
  width: number | null,
): string {
  if (width === null) return imageMarkdown(alt, address);
  const within = Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));
  return `<img src="${address}" alt="${quoted(alt)}" width="${within}">`;
}

/** An image as it is shown: which of those with its address, from 0, and of how many. */
export interface ShownImage {
  address: string;
  at: number;
  of: number;
  alt: string;
  width: number | null;
}

/**
 * Gives an image a width, null for its own; null where the reference to it is not found for sure, because others have
 * changed it since, or since a part of the document is shown alone.
 */
export function resizedImage(
  text: string,
  shown: ShownImage,
  width: number | null,
): { from: number; to: number; insert: string } | null {
  const all = referencesTo(text, shown.address);
  const alike = all.filter((image) => image.alt === shown.alt && image.width === shown.width);
  const image = all.length === shown.of ? all[shown.at] : alike.length === 1 ? alike[0] : undefined;
  if (!image || image.width !== shown.width) return null;
  return least(text, image, withWidth(image, width));
}

/** The replacement without what stays: a history of typing then takes back no more than that. */
function least(text: string, { from, to }: { from: number; to: number }, insert: string) {
  let ahead = 0;
  while (ahead < insert.length && from + ahead < to && text[from + ahead] === insert[ahead]) ahead += 1;
  let behind = 0;
  const most = Math.min(insert.length, to - from) - ahead;
  while (behind < most && text[to - 1 - behind] === insert[insert.length - 1 - behind]) behind += 1;
  return { from: from + ahead, to: to - behind, insert: insert.slice(ahead, insert.length - behind) };
}

const referencesTo = (text: string, address: string): ImageReference[] =>
  imagesIn(text).filter((image) => image.address === address);
