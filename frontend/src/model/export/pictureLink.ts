/** How a wiki or a README shows the picture of a link. Pure. */
import { element } from './xml';

/** The colours of a picture; `both`: those that whoever reads the page prefers. */
export const PICTURE_THEMES = [
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
  { value: 'both', text: 'As the reader has it' },
] as const;

export type PictureTheme = (typeof PICTURE_THEMES)[number]['value'];

/** An image in Markdown, which knows one theme; its description is a line in which no mark counts. */
export function markdownImage(url: string, name: string, theme: 'light' | 'dark'): string {
  const line = name.replace(/\s+/g, ' ').replace(/[\\[\]`*_<>!&]/g, (mark) => `\\${mark}`);
  return `![${line}](${themed(url, theme)})`;
}

/** An image in HTML, which most places take in Markdown, too. */
export function htmlImage(url: string, name: string, theme: PictureTheme): string {
  const image = element('img', { src: themed(url, theme === 'dark' ? 'dark' : 'light'), alt: name });
  if (theme !== 'both') return image;
  const dark = { media: '(prefers-color-scheme: dark)', srcset: themed(url, 'dark') };
  return element('picture', {}, element('source', dark), image);
}

/** Pictures are light by themselves. */
const themed = (url: string, theme: 'light' | 'dark'): string =>
  theme === 'dark' ? `${url}&theme=dark` : url;
