/** The images of an open workspace as the page has them: from this browser while they are not on the server, else from there. */
import { hashOfImage } from '../../model/text/images';
import { at } from '../../protocol/api';
import { ask } from '../../protocol/http';
import { ROOT_PATH } from '../../protocol/root';
import { upload } from '../../protocol/upload';
import { IndexedImages, MemoryImages } from '../../sync/images/imageStore';
import { type LocalImage, type TabChannel, Uploads } from '../../sync/images/uploads';

/** They go on while other workspaces are looked at. */
const opened = new Map<string, Uploads>();

export function uploadsOf(workspace: string): Uploads {
  const known = opened.get(workspace);
  if (known) return known;
  const uploads = new Uploads(workspace, {
    store: typeof indexedDB === 'undefined' ? new MemoryImages() : new IndexedImages(),
    send: upload,
    clock: {
      setTimeout: (run, ms) => setTimeout(run, ms),
      clearTimeout: (timer) => clearTimeout(timer as number),
    },
    // Missing where a page was not loaded over TLS: then another tab may send the same again, which changes nothing.
    locks: navigator.locks ?? null,
    channel: typeof BroadcastChannel === 'undefined' ? null : channel(),
  });
  opened.set(workspace, uploads);
  return uploads;
}

const channel = (): TabChannel => new BroadcastChannel('draftsmith-images') as TabChannel;

/** Addresses of bytes in this page; they are needed as long as it is open. */
const addresses = new WeakMap<LocalImage, string>();

/** Where the page finds an own image, by the address in the text. */
export function sourceOf(workspace: string, address: string): string {
  const local = uploadsOf(workspace).get(hashOfImage(address) ?? '');
  if (!local) return `${ROOT_PATH}/api/v1${at(workspace)}/${address}`;
  const known = addresses.get(local) ?? URL.createObjectURL(new Blob([local.bytes], { type: local.type }));
  addresses.set(local, known);
  return known;
}

/** The hashes of all images that the server has of a workspace. */
export async function imagesOnServer(workspace: string): Promise<ReadonlySet<string>> {
  const { body } = await ask<{ items: { sha256: string }[] }>(`${at(workspace)}/images`);
  return new Set(body.items.map(({ sha256 }) => sha256));
}
