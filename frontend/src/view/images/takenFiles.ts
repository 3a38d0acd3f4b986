/** Which files of a clipboard or a drag are meant as images. Not here: what becomes of them. */

/**
 * The files that are pasted; empty where the text beside them is meant, as in what text processors and spreadsheets copy,
 * which carries a picture of itself.
 */
export function pastedFiles(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  if (!data || files.length === 0) return [];
  const text = data.getData('text/plain').trim();
  // File managers write the names of the files beside them.
  const isOfNames = text.split(/\r?\n/).every((line) => files.some(({ name }) => line.endsWith(name)));
  if (text !== '' && !isOfNames) return [];
  return text === '' && hasWords(data.getData('text/html')) ? [] : files;
}

/** Whether anything but images is shown of it. */
const hasWords = (html: string): boolean =>
  html !== '' && new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() !== '';

export const droppedFiles = (data: DataTransfer | null): File[] => [...(data?.files ?? [])];

/** Whether a drag carries files; which ones is known at its end alone. */
export const carriesFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true;
