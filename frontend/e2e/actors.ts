/**
 * People at the editor: what they do with mouse and keyboard, and what they and the server see of it. Every word waits
 * for a state, never for a while. Not here: the server and the browsers (`stage.ts`), wires that can be cut (`wire.ts`).
 */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { AtWorkspace, saved, says } from './atWorkspace';
import { bringIntoSight } from './sight';
import type { Stage, Visit } from './stage';
import { Wire } from './wire';

export interface Point {
  x: number;
  y: number;
}

interface StoredNode {
  id: string;
  type: string;
  label: string;
  position: Point;
  parent: string | null;
}

/** What the server holds. */
export interface Stored {
  revision: number;
  name: string;
  text: string;
  nodes: ReadonlyMap<string, StoredNode>;
}

/** A page of the editor and who sits at it. */
export class Person extends AtWorkspace {
  constructor(
    visit: Visit,
    workspace: string,
    /** Their way to the server, if it can be cut. */
    private readonly wire: Wire | null = null,
  ) {
    super(visit, workspace);
  }

  /** Somebody with a name and a browser profile of their own, who is at no workspace yet. */
  static async come(stage: Stage, name: string, workspace: string | null, wire: Wire | null = null) {
    const visit = await stage.person('light', wire?.url ?? stage.url, { readsAhead: wire !== null });
    // Whose way to the server is cut has everything of the page before.
    if (wire) await visit.page.goto('/');
    await visit.api('PATCH', '/me', { name });
    return new Person(visit, workspace ?? (await makeWorkspace(visit)), wire);
  }

  // -- pages ---------------------------------------------------------------------------------------------------------

  /** Open the workspace and wait until everything is there. */
  async open(): Promise<this> {
    await this.page.goto(`/w/${this.workspace}`);
    await this.ready();
    return this;
  }

  /** The same within the page that is there. */
  async openWithin(choices: Record<string, string> = {}): Promise<this> {
    await this.visit.openWithin(this.workspace, choices);
    await this.ready();
    return this;
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** The same person at one more page, in the same workspace. */
  async tab(): Promise<Person> {
    return new Person(await this.visit.tab(), this.workspace, this.wire).open();
  }

  private async ready(): Promise<void> {
    await this.saved();
    await this.lines.first().waitFor();
    await this.page.locator('.react-flow__node').first().waitFor();
  }

  // -- saving --------------------------------------------------------------------------------------------------------

  /** Wait until the page says so of itself. */
  says(facts: Record<string, string | number>): Promise<void> {
    return says(this.page, facts);
  }

  /** Wait until everything of this page is on the server. */
  saved(): Promise<void> {
    return saved(this.page);
  }

  /** The revision that this page has seen last. */
  async revision(): Promise<number> {
    return Number(await this.page.getByTestId('status').getAttribute('data-revision'));
  }

  /** Cut the way to the server, or mend it. */
  async offline(isOffline: boolean): Promise<void> {
    if (!this.wire) throw new Error('This person has no wire that could be cut');
    if (!isOffline) {
      this.wire.mend();
      return;
    }
    this.wire.cut();
    await this.says({ condition: 'offline' });
  }

  /** What the server holds. */
  async stored(): Promise<Stored> {
    const { revision, name, document, diagram } = await this.visit.api<{
      revision: number;
      name: string;
      document: { text: string };
      diagram: { nodes: StoredNode[] };
    }>('GET', `/workspaces/${this.workspace}`);
    const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
    return { revision, name, text: document.text, nodes };
  }

  /** Change the workspace as a script of this person would. */
  batch(...operations: object[]): Promise<{ revision: number }> {
    return this.visit.api('POST', `/workspaces/${this.workspace}/batches`, { operations });
  }

  // -- diagram -------------------------------------------------------------------------------------------------------

  node(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  /** Wait until a node is drawn under that name. */
  labelled(id: string, label: string): Promise<void> {
    return this.node(id).getByText(label, { exact: true }).first().waitFor();
  }

  /** The middle of a node on the screen. */
  async nodeAt(id: string): Promise<Point> {
    const box = await this.node(id).boundingBox();
    if (!box) throw new Error(`${id} is not in sight`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Where a node is drawn, top left, in the diagram's coordinates. */
  async placeOf(id: string): Promise<Point> {
    return this.node(id).evaluate((node) => {
      const { e, f } = new DOMMatrix(getComputedStyle(node).transform);
      return { x: Math.round(e * 100) / 100, y: Math.round(f * 100) / 100 };
    });
  }

  /** Click a node where it is nothing but a node: near its left edge there may be handles, on its name a field. */
  async select(id: string, ...more: string[]): Promise<void> {
    await this.click(id);
    if (more.length === 0) return;
    await this.page.keyboard.down('Shift');
    for (const other of more) await this.click(other);
    await this.page.keyboard.up('Shift');
  }

  private async click(id: string): Promise<void> {
    await bringIntoSight(this.node(id));
    const at = await this.nodeAt(id);
    await this.page.mouse.click(at.x, at.y);
    await this.node(id).locator('.selected').waitFor();
  }

  /** Take a node with the mouse and leave it in the air. */
  async lift(id: string, by: Point): Promise<Point> {
    const from = await this.nodeAt(id);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    const to = { x: from.x + by.x, y: from.y + by.y };
    await this.page.mouse.move(to.x, to.y, { steps: 8 });
    return to;
  }

  async drop(): Promise<void> {
    await this.page.mouse.up();
  }

  /** Drag a node with the mouse, by pixels of the screen. */
  async drag(id: string, by: Point): Promise<void> {
    await this.lift(id, by);
    await this.drop();
  }

  /** Rename a node as one does on the canvas. */
  async rename(id: string, label: string): Promise<void> {
    const at = await this.nodeAt(id);
    await this.page.mouse.dblclick(at.x, at.y);
    const field = this.page.getByLabel(/^Name of /);
    await field.fill(label);
    await field.press('Enter');
    await this.labelled(id, label);
  }

  /** Put the keyboard onto the canvas, by a click above the legend in its upper right corner, where nothing is. */
  async focusCanvas(): Promise<void> {
    const pane = await this.page.locator('.react-flow__pane').boundingBox();
    if (!pane) throw new Error('There is no canvas');
    await this.page.mouse.click(pane.x + pane.width - 24, pane.y + 8);
  }

  // -- undo ----------------------------------------------------------------------------------------------------------

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  }

  /** Press the button that takes back what is named so. */
  async press(way: 'Undo' | 'Redo', what: RegExp): Promise<void> {
    await this.button(new RegExp(`^${way}: .*${what.source}`)).click();
  }

  async key(keys: string): Promise<void> {
    await this.page.keyboard.press(keys);
  }

  // -- the past ------------------------------------------------------------------------------------------------------

  /** Look at an old revision: the newest row of the history, and from there back in time. */
  async lookAt(revision: number): Promise<void> {
    await this.button('History').click();
    const row = this.page.locator('.commit').first();
    await row.locator('.commit-head').click();
    await row.getByRole('button', { name: 'View', exact: true }).click();
    const bar = this.page.getByRole('region', { name: 'Old revision' });
    const seen = async () => Number(/\d+/.exec((await bar.getByRole('status').textContent()) ?? '')?.[0]);
    for (let at = await seen(); at > revision; at -= 1) {
      await this.button('Older revision').click();
      await bar.getByText(`Revision ${at - 1}`, { exact: true }).waitFor();
    }
  }

  /** Restore an old revision that is looked at first. */
  async restore(revision: number): Promise<void> {
    await this.lookAt(revision);
    await this.button('Restore…').click();
    const question = this.page.getByRole('dialog', { name: `Restore revision ${revision}?` });
    await question.getByRole('button', { name: `Restore revision ${revision}` }).click();
    await question.waitFor({ state: 'detached' });
    await this.button('Close panel').click();
  }

  // -- people and tray -----------------------------------------------------------------------------------------------

  /** Wait until so many people are shown as here, each once. */
  async sees(count: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => document.querySelectorAll('[aria-label="Who is here"] [data-member]').length === wanted,
      count,
    );
  }

  /** What somebody else has in the air, as it is shown here. */
  ghost(id: string): Locator {
    return this.page.locator(`.others-ghost[data-node="${id}"]`);
  }

  async closeDialog(): Promise<void> {
    await this.key('Escape');
    await this.page.locator('dialog[open], [role="dialog"]').waitFor({ state: 'detached' });
  }

  /** Open "Changes that did not fit". */
  async tray(): Promise<Locator> {
    const tray = this.page.getByRole('dialog', { name: 'Changes that did not fit' });
    await this.button('Look').click();
    await tray.waitFor();
    return tray;
  }
}

/** A workspace with a paragraph and a node for each purpose; short enough to be drawn whole. */
export interface Scene {
  text: string;
  nodes: object[];
  edges?: object[];
}

export async function makeWorkspace(visit: Visit, scene?: Scene): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Together',
    document: { text: scene?.text ?? '# Plan\n' },
    diagram: { nodes: scene?.nodes ?? [], edges: scene?.edges ?? [] },
  });
  return id;
}

/** Two people, each with a wire of their own, at one new workspace. */
export async function twoPeople(
  stage: Stage,
  scene: Scene,
): Promise<{ anna: Person; ben: Person; wires: Wire[] }> {
  const wires = [await Wire.to(stage.url), await Wire.to(stage.url)];
  const [forAnna, forBen] = wires as [Wire, Wire];
  const first = await Person.come(stage, 'Anna', '', forAnna);
  const anna = new Person(first.visit, await makeWorkspace(first.visit, scene), forAnna);
  const ben = await Person.come(stage, 'Ben', anna.workspace, forBen);
  await anna.open();
  await ben.open();
  return { anna, ben, wires };
}

/** Wait until nothing is on its way and every page shows what the server holds; the answer is that. */
export async function settle(...people: Person[]): Promise<Stored> {
  for (const person of people) await person.saved();
  const stored = await (people[0] as Person).stored();
  for (const person of people) {
    await person.says({ revision: stored.revision, pending: 0 });
    await expect.poll(() => person.text()).toBe(stored.text);
    await expect.poll(() => drawn(person)).toEqual(placesIn(stored));
  }
  return stored;
}

/** Where each card is drawn; frames of groups follow from what they hold. */
const drawn = (person: Person): Promise<Record<string, Point>> =>
  person.page.locator('.react-flow__node:has(.node-card)').evaluateAll((nodes) =>
    Object.fromEntries(
      nodes.map((node) => {
        const { e, f } = new DOMMatrix(getComputedStyle(node).transform);
        return [
          (node as HTMLElement).dataset.id,
          { x: Math.round(e * 100) / 100, y: Math.round(f * 100) / 100 },
        ];
      }),
    ),
  );

/** Where each node but groups stands, from the top left of the diagram. */
function placesIn({ nodes }: Stored): Record<string, Point> {
  const placeOf = ({ position: { x, y }, parent }: StoredNode): Point => {
    const group = parent === null ? undefined : nodes.get(parent);
    if (!group) return { x, y };
    const corner = placeOf(group);
    return { x: corner.x + x, y: corner.y + y };
  };
  const cards = [...nodes.values()].filter(({ type }) => type !== 'group');
  return Object.fromEntries(cards.map((node) => [node.id, placeOf(node)]));
}

/** How often a part stands in a text. */
export const times = (text: string, part: string): number => text.split(part).length - 1;

/** Somebody at a new workspace, within the page that is there, once everything is saved. */
export async function atNewWorkspace(
  { visit }: Person,
  scene: Parameters<typeof makeWorkspace>[1],
  choices: Record<string, string> = {},
): Promise<Person> {
  const here = new Person(visit, await makeWorkspace(visit, scene));
  await visit.openWithin(here.workspace, choices);
  await here.saved();
  return here;
}
