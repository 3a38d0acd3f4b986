/** Files that are to become images: read, checked and kept by this browser, or why not in words. */

import {
  IMAGE_KINDS,
  type ImageType,
  imageTypeOf,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_SIDE,
} from '../../model/text/images';
import { TooMuchKept } from '../../sync/images/imageStore';
import type { LocalImage, NewImage, Uploads } from '../../sync/images/uploads';

/** The images among files, once this browser has them, and why the others are left out. */
export async function keptImages(
  files: readonly File[],
  uploads: Uploads,
): Promise<{ images: LocalImage[]; problems: string[] }> {
  const images: LocalImage[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const read = await readImage(file);
    if ('problem' in read) problems.push(read.problem);
    else
      await uploads.add(read.image).then(
        (image) => images.push(image),
        (error) => problems.push(whyNotKept(error, read.image.name)),
      );
  }
  return { images, problems };
}

export const whyNotKept = (error: unknown, name: string): string =>
  error instanceof TooMuchKept
    ? `${name} was not taken: this browser keeps 50 MB of images that are not uploaded yet, and no more.`
    : `${name} was not taken: ${error instanceof Error ? error.message : String(error)}`;

type ReadResult = { image: NewImage } | { problem: string };

const MB = 1_000_000;

/** Reads a file that is to become an image, and says in words why it cannot. */
async function readImage(file: File): Promise<ReadResult> {
  const name = file.name || 'The image';
  if (file.size > MAX_IMAGE_BYTES)
    return {
      problem: `${name} has ${(file.size / MB).toFixed(1)} MB; an image may have ${MAX_IMAGE_BYTES / MB} MB.`,
    };
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return { problem: `${name} cannot be read. Was it moved or changed meanwhile?` };
  const type = imageTypeOf(new Uint8Array(bytes));
  if (!type) return { problem: `${name} is none of the images that can be shown: ${IMAGE_KINDS}.` };
  const size = await sizeOf(bytes, type);
  if (!size) return { problem: `${name} cannot be drawn: the file is damaged or cut off.` };
  if (Math.max(size.width, size.height) > MAX_IMAGE_SIDE)
    return {
      problem: `${name} is ${size.width} × ${size.height} pixels; a side may have ${MAX_IMAGE_SIDE.toLocaleString('en')}.`,
    };
  if (!globalThis.crypto.subtle)
    return {
      problem: 'Images need a page over HTTPS: without it browsers do not compute their fingerprints.',
    };
  return { image: { sha256: await sha256Of(bytes), type, name: file.name, bytes } };
}

/** In pixels, as the browser draws it; null where it does not. */
async function sizeOf(
  bytes: ArrayBuffer,
  type: ImageType,
): Promise<{ width: number; height: number } | null> {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
