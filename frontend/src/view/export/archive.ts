/**
 * Everything of a workspace as files in one ZIP archive: `document.md`, the images where it and nodes refer to them,
 * `diagram.svg`, `diagram.txt`, and what the server writes of its newest state. Loaded when one is made.
 */
import { strToU8, type Zippable, zipSync } from 'fflate';
import { imagesIn } from '../../model/text/images';
import type { LiveStore } from '../../sync/editor/snapshot';
import { bytesOf } from '../images/imageBytes';
import type { ServerFormat, Source } from './choices';
import { fromServer, imageAddresses, linesOf } from './contents';
import { drawingFor, imagesFor, pictureOf } from './picture';

/** Images are packed already. */
const AS_THEY_ARE = 0;

/** What the server writes, by the names that its own archive has for them. */
const WRITTEN: Readonly<Record<string, ServerFormat>> = {
  'workspace.json': 'json',
  'diagram.mmd': 'mermaid',
  'diagram.drawio': 'drawio',
  'diagram.dot': 'dot',
  'workspace.dsl': 'structurizr',
};

export async function archiveOf(source: Source, live: LiveStore, signal: AbortSignal): Promise<Blob> {
  const { workspace, diagram, text, name } = source;
  const files: Zippable = await imagesOf(source);
  if (text.trim()) files['document.md'] = strToU8(text);
  const drawing = diagram.nodes.length > 0 ? await drawingFor(diagram, null, signal) : null;
  const images = drawing ? await imagesFor(workspace, drawing) : {};
  const picture = drawing && pictureOf(drawing, name, { theme: 'light', ...images });
  if (picture) {
    files['diagram.svg'] = strToU8(picture.svg);
    files['diagram.txt'] = strToU8(await linesOf(source));
  }
  for (const name of writtenOf(source))
    files[name] = strToU8(await fromServer(workspace, WRITTEN[name] as ServerFormat, live, signal));
  signal.throwIfAborted();
  return new Blob([zipSync(files) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

/** By the addresses that document and nodes have for them; those that are nowhere are named in a file of their own. */
async function imagesOf({ workspace, text, diagram }: Source): Promise<Zippable> {
  const files: Zippable = {};
  const missing: string[] = [];
  const names = new Map([
    ...diagram.nodes.map(({ image, label }): [string, string] => [image, label]),
    ...imagesIn(text).map(({ address, alt }): [string, string] => [address, alt]),
  ]);
  for (const address of imageAddresses({ text, diagram })) {
    const bytes = await bytesOf(workspace, address);
    if (bytes) files[address] = [new Uint8Array(await bytes.arrayBuffer()), { level: AS_THEY_ARE }];
    else missing.push(`${address} ${names.get(address)}`);
  }
  if (missing.length > 0) files['images/missing.txt'] = strToU8(`${missing.join('\n')}\n`);
  return files;
}

/** The server has the newest state alone; of an empty diagram nothing but JSON says anything. */
function writtenOf({ isNewest, diagram }: Source): string[] {
  if (!isNewest) return [];
  return diagram.nodes.length > 0 ? Object.keys(WRITTEN) : ['workspace.json'];
}

/** What an archive will hold, a line each. */
export function contentsOf(source: Source): string {
  const { text, diagram } = source;
  return [
    ...(text.trim() ? ['document.md'] : []),
    ...(diagram.nodes.length > 0 ? ['diagram.svg', 'diagram.txt'] : []),
    ...writtenOf(source),
    ...imageAddresses({ text, diagram }),
  ].join('\n');
}
