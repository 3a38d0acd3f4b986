/** The contrast of texts with what they stand on, from the pixels of the screen. */
import type { Page } from 'playwright-core';
import { settled } from './axe';

export interface Contrast {
  /** What of the canvas it is, and its text. */
  what: string;
  ratio: number;
}

/**
 * The contrast of every text that one of the selectors finds in sight, as WCAG defines it.
 *
 * The ground is the most frequent colour around the letters, as it is on the screen: a card, a frame, or several on one
 * another. The colour of the letters is the one that is set, over that ground: smoothing makes thin letters paler.
 */
export async function contrasts(page: Page, selectors: readonly string[]): Promise<Contrast[]> {
  await settled(page);
  const png = (await page.screenshot()).toString('base64');
  return page.evaluate(
    async ([picture, wanted]) => {
      type Colour = [number, number, number, number];
      const bytes = Uint8Array.from(atob(picture as string), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const scale = bitmap.width / window.innerWidth;
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const drawn = canvas.getContext('2d', {
        willReadFrequently: true,
      }) as OffscreenCanvasRenderingContext2D;
      drawn.drawImage(bitmap, 0, 0);
      const one = new OffscreenCanvas(1, 1).getContext('2d', {
        willReadFrequently: true,
      }) as OffscreenCanvasRenderingContext2D;
      const read = (css: string): Colour => {
        one.clearRect(0, 0, 1, 1);
        one.fillStyle = css;
        one.fillRect(0, 0, 1, 1);
        return [...one.getImageData(0, 0, 1, 1).data] as Colour;
      };
      const luminance = ([red, green, blue]: readonly number[]) => {
        const [r, g, b] = [red, green, blue].map((part) => {
          const share = (part ?? 0) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        }) as [number, number, number];
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const groundOf = ({ left, top, width, height }: DOMRect): readonly number[] => {
        const { data } = drawn.getImageData(left * scale, top * scale, width * scale, height * scale);
        const counts = new Map<string, number>();
        for (let at = 0; at < data.length; at += 4) {
          const key = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['255 255 255'];
        return most.split(' ').map(Number);
      };
      const found: { what: string; ratio: number }[] = [];
      for (const selector of wanted as string[])
        for (const element of document.querySelectorAll<HTMLElement>(selector)) {
          const box = element.getBoundingClientRect();
          const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
          const isIn = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          if (!isSeen || !isIn || box.width < 2 || box.height < 2 || !element.textContent?.trim()) continue;
          const ground = groundOf(box);
          const style = getComputedStyle(element);
          const colour = read(style.color);
          let opacity = colour[3] / 255;
          for (let around: Element | null = element; around; around = around.parentElement)
            opacity *= Number(getComputedStyle(around).opacity);
          const letters = colour
            .slice(0, 3)
            .map((part, at) => part * opacity + (ground[at] ?? 0) * (1 - opacity));
          const [dark, light] = [luminance(letters), luminance(ground)].sort((a, b) => a - b) as [
            number,
            number,
          ];
          found.push({
            what: `${selector} ${element.textContent.trim()}`,
            ratio: (light + 0.05) / (dark + 0.05),
          });
        }
      return found;
    },
    [png, selectors] as const,
  );
}
