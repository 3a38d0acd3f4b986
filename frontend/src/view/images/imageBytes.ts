/** The bytes of own images, for files that hold them: from this browser while they are not on the server, else from there. */
import { hashOfImage } from '../../model/text/images';
import { sourceOf, uploadsOf } from './workspaceImages';

/** Null where neither has it, or the server does not answer. */
export async function bytesOf(workspace: string, address: string): Promise<Blob | null> {
  const local = uploadsOf(workspace).get(hashOfImage(address) ?? '');
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
  if (!bytes) return null;
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(bytes);
  });
}
