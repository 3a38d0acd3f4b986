/** The plain page of a workspace, as a person uses it and as a test reads it. Waits for states, never for a while. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Visit } from './stage';

/** How long a state may take to come about, on however busy a machine. */
export const PATIENCE_MS = 15_000;

export class PlainPage {
  constructor(
    readonly visit: Visit,
    readonly workspace: string,
  ) {}

  private get page() {
    return this.visit.page;
  }

  /** Open the page and wait until it is connected. */
  async open(): Promise<this> {
    await this.page.goto(`/plain/${this.workspace}`);
    await this.status({ connection: 'live', saving: 'saved' });
    await this.lines.first().waitFor();
    return this;
  }

  /** Wait until the page says so of itself. */
  async status(facts: Record<string, string | number>): Promise<void> {
    const wanted = Object.entries(facts).map(([name, value]) => `[data-${name}="${value}"]`);
    await this.page.locator(`#status${wanted.join('')}`).waitFor();
  }

  /** Wait until everything of this page is on the server. */
  saved(): Promise<void> {
    return this.status({ connection: 'live', saving: 'saved', pending: 0 });
  }

  /** Wait until no tab of this person has anything left that is not on the server. */
  async keepsNothing(): Promise<void> {
    await expect.poll(() => this.page.evaluate(countKept), { timeout: PATIENCE_MS }).toBe(0);
  }

  // -- diagram -------------------------------------------------------------------------------------------------------

  node(id: string): Locator {
    return this.page.locator(`#nodes [data-node="${id}"]`);
  }

  labelled(id: string, label: string): Promise<void> {
    return this.page.locator(`#nodes [data-node="${id}"][data-label="${label}"]`).waitFor();
  }

  async addNode(id: string, label: string, x = 0, y = 0): Promise<void> {
    const form = this.page.locator('#new-node');
    await form.getByLabel('Label').fill(label);
    await form.getByLabel('Id').fill(id);
    await form.getByLabel('x', { exact: true }).fill(String(x));
    await form.getByLabel('y', { exact: true }).fill(String(y));
    await form.getByRole('button').click();
  }

  async renameNode(id: string, label: string): Promise<void> {
    await this.page.getByLabel(`Label of ${id}`, { exact: true }).fill(label);
    await this.press(`Rename ${id}`);
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
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

  /** Type where the caret is, key by key. */
  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Wait until a text is shown, or is shown no longer. */
  reads(text: string, state: 'attached' | 'detached' = 'attached'): Promise<void> {
    return this.lineWith(text).first().waitFor({ state });
  }

  /** Lines that hold a text just as it is written. */
  private lineWith(text: string): Locator {
    return this.lines.filter({ hasText: new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) });
  }

  // -- people, tray, past --------------------------------------------------------------------------------------------

  /** The line of each open page, one's own among them, once there are so many. */
  async people(count: number): Promise<Person[]> {
    const rows = this.page.locator('#people [data-member]');
    await this.page.waitForFunction(
      (wanted) => document.querySelectorAll('#people [data-member]').length === wanted,
      count,
    );
    return rows.evaluateAll((found) =>
      found.map((row) => ({ ...(row as HTMLElement).dataset }) as unknown as Person),
    );
  }

  tray(code?: string): Locator {
    return this.page.locator(code ? `#tray [data-code="${code}"]` : '#tray [data-tray]');
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

export interface Person {
  member: string;
  person: string;
  color: string;
  me: 'true' | 'false';
  where: string;
}
