/** The bytes of own images, for files that hold them: from this browser while they are not on the server, else from there. */
import { type EmbeddedImages, MAX_ALL_DRAWN_BYTES, MAX_DRAWN_BYTES } from '../../model/export/nodeImages';
import { hashOfImage } from '../../model/text/images';
import { sourceOf, uploadsOf } from './workspaceImages';

/**
 * Null where neither has it, where the server does not answer, and where it has more bytes than `most`: then its header is
 * all of it that is read.
 */
export async function bytesOf(
  workspace: string,
  address: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Blob | null> {
  const uploads = uploadsOf(workspace);
  await uploads.ready;
  const local = uploads.get(hashOfImage(address) ?? '');
  if (local) return local.size > most ? null : new Blob([local.bytes], { type: local.type });
  try {
    const answer = await fetch(sourceOf(workspace, address));
    if (!answer.ok || Number(answer.headers.get('content-length')) > most) {
      await answer.body?.cancel();
      return null;
    }
    const bytes = await answer.blob();
    // What packs answers on the way to here may not have said how long they are.
    return bytes.size > most ? null : bytes;
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
    const bytes = await bytesOf(workspace, address, Math.min(MAX_DRAWN_BYTES, room));
    const data = bytes && (await dataAddress(bytes));
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
