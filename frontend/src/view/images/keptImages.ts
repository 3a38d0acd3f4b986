/** Files that are to become images: read, checked and kept by this browser, or why not in words. */
import { TooMuchKept } from '../../sync/images/imageStore';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { readImage } from './readImage';

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
