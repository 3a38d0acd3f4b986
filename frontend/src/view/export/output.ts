/** Saves a file as a download, or copies it to the system clipboard. */

/** Long enough for a browser that asks where to save it. */
const KEPT_MS = 60_000;

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

export const copyText = async (text: string): Promise<void> => {
  await navigator.clipboard.writeText(text);
};

/** Takes a promise: some browsers accept a write only synchronously after a click. */
export const copyPicture = async (png: Promise<Blob>): Promise<void> => {
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
};
