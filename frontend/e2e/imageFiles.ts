/** Files of images as tests need them, made anew, and the ways in which a person brings them to a page. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

export interface MadeFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** A PNG of one colour; the colour makes it another file. */
export function png(
  name: string,
  width: number,
  height: number,
  [red, green, blue] = [200, 40, 40],
): MadeFile {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3)]);
  for (let at = 0; at < width; at++) row.set([red ?? 0, green ?? 0, blue ?? 0], 1 + 3 * at);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const chunk = (kind: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const content = Buffer.concat([Buffer.from(kind), data]);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, sum]);
  };
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const bytes = [signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return { name, type: 'image/png', bytes: Buffer.concat(bytes) };
}

export const svg = (
  name: string,
  inside = '<rect width="40" height="30" fill="#4f46e5"/>',
  ahead = '',
): MadeFile => ({
  name,
  type: 'image/svg+xml',
  bytes: Buffer.from(
    `${ahead}<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30">${inside}</svg>`,
  ),
});

/** A GIF of one pixel. */
export const gif = (name: string): MadeFile => ({
  name,
  type: 'image/gif',
  bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'),
});

/** A JPEG or WebP, made by the browser. */
export async function drawn(page: Page, name: string, type: 'image/jpeg' | 'image/webp'): Promise<MadeFile> {
  const encoded = await page.evaluate((wanted) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [60, 40];
    const context = canvas.getContext('2d');
    if (context) context.fillStyle = 'teal';
    context?.fillRect(0, 0, 60, 40);
    return canvas.toDataURL(wanted).split(',')[1] ?? '';
  }, type);
  return { name, type, bytes: Buffer.from(encoded, 'base64') };
}

export const sha256 = ({ bytes }: MadeFile): string => createHash('sha256').update(bytes).digest('hex');

/** Paste files where the keyboard is, as browsers do. */
export const paste = (
  page: Page,
  files: readonly MadeFile[],
  texts: Record<string, string> = {},
): Promise<boolean> => page.evaluate(bring, { kind: 'paste' as const, files: encoded(files), texts });

/** Drop files at a point of the page. Returns whether the page takes care of them, so that the browser does not. */
export const drop = (
  page: Page,
  files: readonly MadeFile[],
  point: { x: number; y: number },
): Promise<boolean> =>
  page.evaluate(bring, { kind: 'drop' as const, files: encoded(files), texts: {}, ...point });

const encoded = (files: readonly MadeFile[]) =>
  files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }));

interface Brought {
  kind: 'paste' | 'drop';
  files: { name: string; type: string; base64: string }[];
  texts: Record<string, string>;
  x?: number;
  y?: number;
}

/** Runs in the page. */
function bring({ kind, files, texts, x = 0, y = 0 }: Brought): boolean {
  const data = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
  }
  for (const [type, text] of Object.entries(texts)) data.setData(type, text);
  const common = { bubbles: true, cancelable: true };
  if (kind === 'paste')
    return !document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { ...common, clipboardData: data }),
    );
  const place = { ...common, dataTransfer: data, clientX: x, clientY: y };
  const target = document.elementFromPoint(x, y);
  const events = ['dragenter', 'dragover', 'drop'].map((type) => new DragEvent(type, place));
  for (const event of events) target?.dispatchEvent(event);
  return events.at(-1)?.defaultPrevented === true;
}

/** Give the server an image of a workspace. */
export async function putImage(page: Page, workspace: string, file: MadeFile): Promise<void> {
  const { type, bytes } = file;
  const status = await page.evaluate(
    async ({ address, type, bytes }) => {
      const body = new Uint8Array(bytes);
      return (await fetch(address, { method: 'PUT', headers: { 'content-type': type }, body })).status;
    },
    { address: `/api/v1/workspaces/${workspace}/images/${sha256(file)}`, type, bytes: [...bytes] },
  );
  if (status !== 201) throw new Error(`the image was answered by ${status}`);
}
