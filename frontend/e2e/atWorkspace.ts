/**
 * Somebody at a page of a workspace, whichever page it is: its document, and what their browser keeps. Every word waits
 * for a state, never for a while. Not here: the editor (`actors.ts`), the plain page (`plainPage.ts`).
 */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { withTimeHeld } from './pageTime';
import type { Visit } from './stage';

/** Wait until a page says so of itself. */
export async function says(page: Page, facts: Record<string, string | number>): Promise<void> {
  const wanted = Object.entries(facts).map(([name, value]) => `[data-${name}="${value}"]`);
  await page.locator(`[data-testid="status"]${wanted.join('')}`).waitFor();
}

/** Wait until everything of a page is on the server. */
export const saved = (page: Page, facts: Record<string, string | number> = {}): Promise<void> =>
  says(page, { connection: 'live', condition: 'saved', pending: 0, ...facts });

export class AtWorkspace {
  constructor(
    readonly visit: Visit,
    readonly workspace: string,
  ) {}

  get page(): Page {
    return this.visit.page;
  }

  // -- document ------------------------------------------------------------------------------------------------------

  get lines(): Locator {
    return this.page.locator('#document .cm-line');
  }

  /** The text as it is shown. All of it only while it fits on the screen: CodeMirror draws no more. */
  async text(): Promise<string> {
    return (await this.lines.allTextContents()).join('\n');
  }

  /** Put the caret at the end of the line that holds a text. */
  async caretAfter(text: string): Promise<void> {
    await this.lineWith(text).first().click();
    await this.page.keyboard.press('End');
  }

  /** Type where the caret is, key by key, as fast as a person does at least, however slow the machine is. */
  type(text: string): Promise<void> {
    return withTimeHeld(this.page, () => this.page.keyboard.type(text));
  }

  /** Wait until a text is shown in the editor, or is shown no longer. */
  reads(text: string, state: 'attached' | 'detached' = 'attached'): Promise<void> {
    return this.lineWith(text).first().waitFor({ state });
  }

  /** Lines that hold a text just as it is written. */
  private lineWith(text: string): Locator {
    return this.lines.filter({ hasText: new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) });
  }

  // -- what is kept --------------------------------------------------------------------------------------------------

  /** Wait until no tab of this browser has anything that is not on the server. */
  keepsNothing(): Promise<void> {
    return this.keeps(0);
  }

  /** Wait until so many tabs of this browser have written down what is not on the server yet. */
  async keeps(tabs: number): Promise<void> {
    await expect.poll(() => this.page.evaluate(countKept)).toBe(tabs);
  }
}

/** How many tabs have left something in this browser; runs in the page. */
function countKept(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open('draftsmith-pending');
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const counted = opened.result.transaction('tabs').objectStore('tabs').count();
      counted.onsuccess = () => resolve(counted.result);
      counted.onerror = () => reject(counted.error);
      opened.result.close();
    };
  });
}
