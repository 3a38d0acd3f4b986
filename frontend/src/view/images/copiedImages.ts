/**
 * Images of nodes and of text that were copied in one workspace and are pasted into another one: their bytes come along,
 * from where they were copied to where they are named now. Loaded when that happens. Not here: the upload, which is one as any
 * other (`Uploads`).
 */
import { hashOfImage, imageTypeOf } from '../../model/text/images';
import type { LocalImage, NewImage } from '../../sync/images/uploads';
import type { Toasts } from '../ui/overlay/Toasts';
import { bytesOf } from './imageBytes';
import { whyNotKept } from './keptImages';
import { sayRefusal } from './useImageNotices';
import { imagesOnServer, uploadsOf } from './workspaceImages';

export interface CopiedImages {
  /** Those that this browser has now, and uploads. */
  images: LocalImage[];
  /** The addresses of those that could not be had. */
  missing: ReadonlySet<string>;
  /** Why, in words; each reason once. */
  problems: readonly string[];
}

const NOT_READ = 'They could not be read where they were copied: they are not there, or not for you to see.';
const NOT_SAID = 'What was copied does not say where its images are.';

/** Has images that stand at these addresses in one workspace stand there in another one as well. */
export async function copyImages(
  from: string,
  to: string,
  addresses: readonly string[],
): Promise<CopiedImages> {
  const uploads = uploadsOf(to);
  await uploads.ready;
  const there = await imagesOnServer(to).catch((): ReadonlySet<string> => new Set());
  const images: LocalImage[] = [];
  const missing = new Set<string>();
  const problems = new Set<string>();
  for (const address of new Set(addresses)) {
    const sha256 = hashOfImage(address);
    if (sha256 !== null && (there.has(sha256) || uploads.get(sha256))) continue;
    try {
      const image = sha256 === null ? null : await imageIn(from, address, sha256);
      if (image) images.push(await uploads.add(image));
      else {
        missing.add(address);
        problems.add(isWorkspace(from) ? NOT_READ : NOT_SAID);
      }
    } catch (error) {
      missing.add(address);
      problems.add(whyNotKept(error, 'An image'));
    }
  }
  return { images, missing, problems: [...problems] };
}

/** Says of each that the server refuses it, should it do so. */
export function sayRefused(workspace: string, images: readonly LocalImage[], toasts: Toasts): void {
  for (const image of images) sayRefusal(uploadsOf(workspace), image, toasts);
}

/** What the clipboard says is written by anybody. */
const isWorkspace = (id: string): boolean => /^[0-9a-z]{26}$/.test(id);

/** An image of a workspace; null where it is not there or this person may not see it. */
async function imageIn(workspace: string, address: string, sha256: string): Promise<NewImage | null> {
  const found = isWorkspace(workspace) ? await bytesOf(workspace, address) : null;
  const bytes = await found?.arrayBuffer();
  const type = bytes && imageTypeOf(new Uint8Array(bytes));
  return type ? { sha256, type, name: '', bytes } : null;
}
