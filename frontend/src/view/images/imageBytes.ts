/** The bytes of own images, for files that hold them: from this browser while they are not on the server, else from there. */
import { type EmbeddedImages, MAX_ALL_DRAWN_BYTES, MAX_DRAWN_BYTES } from '../../model/export/nodeImages';
import { hashOfImage } from '../../model/text/images';
import { sourceOf, uploadsOf } from './workspaceImages';

/** Null where neither has it, or the server does not answer. */
export async function bytesOf(workspace: string, address: string): Promise<Blob | null> {
  const uploads = uploadsOf(workspace);
  await uploads.ready;
  const local = uploads.get(hashOfImage(address) ?? '');
  if (local) return new Blob([local.bytes], { type: local.type });
  try {
    const answer = await fetch(sourceOf(workspace, address));
    return answer.ok ? await answer.blob() : null;
  } catch {
    return null;
  }
}

/** The image as an address that holds all of it. */
export async function dataAddressOf(workspace: string, address: string): Promise<string | null> {
  const bytes = await bytesOf(workspace, address);
  return bytes && dataAddress(bytes);
}

/** Images for a picture, as many as it has room for; the addresses in the order in which they get it. */
export async function embeddedImages(
  workspace: string,
  addresses: readonly string[],
): Promise<EmbeddedImages> {
  const found: Record<string, string> = {};
  let room = MAX_ALL_DRAWN_BYTES;
  for (const address of addresses) {
    const bytes = await bytesOf(workspace, address);
    if (!bytes || bytes.size > Math.min(MAX_DRAWN_BYTES, room)) continue;
    const data = await dataAddress(bytes);
    if (!data) continue;
    found[address] = data;
    room -= bytes.size;
  }
  return found;
}

/** A file as an address that holds all of it; null where it cannot be read. */
export function dataAddress(bytes: Blob): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(bytes);
  });
}
