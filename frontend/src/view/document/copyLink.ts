/** Copies the address of a heading, which opens the workspace there, and says so. */
import type { Toasts } from '../ui/overlay/Toasts';

export async function copyLink(toasts: Toasts, anchor: string, title: string): Promise<void> {
  const { origin, pathname } = window.location;
  const address = new URL(`#${anchor}`, `${origin}${pathname}`).href;
  try {
    await navigator.clipboard.writeText(address);
    toasts.show({ text: 'Copied', detail: `The link to “${title}”` });
  } catch {
    toasts.show({
      text: 'The browser does not let this page copy',
      detail: `The link is ${address}`,
      tone: 'bad',
    });
  }
}
