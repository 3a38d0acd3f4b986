/**
 * Everything of a workspace as files in one ZIP archive: `document.md` with its images where it refers to them,
 * `diagram.svg`, and `workspace.json` to be imported again. Loaded when one is made.
 */
import { strToU8, type Zippable, zipSync } from 'fflate';
import { imagesIn } from '../../model/text/images';
import type { LiveStore } from '../../sync/editor/snapshot';
import { bytesOf } from '../images/imageBytes';
import type { Source } from './choices';
import { fromServer } from './contents';
import { drawingFor, pictureOf } from './picture';

/** Images are packed already. */
const AS_THEY_ARE = 0;

export async function archiveOf(source: Source, live: LiveStore, signal: AbortSignal): Promise<Blob> {
  const { workspace, diagram, text, name } = source;
  const files: Zippable = await imagesOf(workspace, text);
  if (text.trim()) files['document.md'] = strToU8(text);
  const drawing = diagram.nodes.length > 0 ? await drawingFor(diagram, null, signal) : null;
  const picture = drawing && pictureOf(drawing, name, { theme: 'light' });
  if (picture) files['diagram.svg'] = strToU8(picture.svg);
  // The server has the newest state alone.
  if (source.isNewest) files['workspace.json'] = strToU8(await fromServer(workspace, 'json', live, signal));
  signal.throwIfAborted();
  return new Blob([zipSync(files) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

/** By the addresses that the document has for them; those that are nowhere are named in a file of their own. */
async function imagesOf(workspace: string, text: string): Promise<Zippable> {
  const files: Zippable = {};
  const missing: string[] = [];
  for (const { address, alt } of imagesIn(text)) {
    if (files[address]) continue;
    const bytes = await bytesOf(workspace, address);
    if (bytes) files[address] = [new Uint8Array(await bytes.arrayBuffer()), { level: AS_THEY_ARE }];
    else missing.push(`${address} ${alt}`);
  }
  if (missing.length > 0) files['images/missing.txt'] = strToU8(`${missing.join('\n')}\n`);
  return files;
}

/** What an archive will hold, a line each. */
export function contentsOf({ text, diagram, isNewest }: Source): string {
  const images = new Set(imagesIn(text).map(({ address }) => address));
  return [
    ...(text.trim() ? ['document.md'] : []),
    ...(diagram.nodes.length > 0 ? ['diagram.svg'] : []),
    ...(isNewest ? ['workspace.json'] : []),
    ...images,
  ].join('\n');
}
