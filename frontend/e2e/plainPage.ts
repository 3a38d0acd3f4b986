/** The plain page of a workspace, as a person uses it and as a test reads it. Waits for states, never for a while. */
import type { Locator, Response } from 'playwright-core';
import { AtWorkspace } from './atWorkspace';

export class PlainPage extends AtWorkspace {
  /** Ask for the page; the stage has to serve it (`Stage.open({ serves: 'plain page' })`). */
  goTo(): Promise<Response | null> {
    return this.page.goto(`/w/${this.workspace}`);
  }

  /** Open the page and wait until it is connected. */
  async open(): Promise<this> {
    await this.goTo();
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

export interface Person {
  member: string;
  person: string;
  color: string;
  me: 'true' | 'false';
  where: string;
}
