/** Icons of technologies: on cards, in Properties, in exports; where they cannot be read the icons of types stay. */
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { atNewWorkspace, type Person } from './actors';
import { axeViolations } from './axe';
import { saved } from './exported';
import { withAnna } from './withAnna';

const NODES = [
  { id: 'store', type: 'database', label: 'Store', technology: 'Postgres 17', position: { x: 0, y: 0 } },
  { id: 'own', type: 'service', label: 'Own', technology: 'In-house', position: { x: 260, y: 0 } },
  { id: 'plain', type: 'queue', label: 'Plain', position: { x: 520, y: 0 } },
];

let anna: Person;

withAnna((person) => {
  anna = person;
});

const open = (choices: Record<string, string> = {}, nodes: object[] = NODES): Promise<Person> =>
  atNewWorkspace(anna, { text: '# Plan\n', nodes }, { view: 'diagram', panel: 'none', ...choices });

const tile = (person: Person, id: string): Locator =>
  person.node(id).locator('.technology-tile img:not([hidden])');
const icon = (person: Person, id: string): Locator => person.node(id).locator('.type-tile');

describe('the icon of a technology', () => {
  it('stands where the icon of the type stood, follows the technology, and stays away where there is none', async () => {
    const here = await open({ panel: 'properties' });
    await tile(here, 'store').waitFor();
    expect(await icon(here, 'store').count()).toBe(0);
    expect(await here.node('store').locator('svg.lucide').count()).toBe(0);
    const sideOf = (locator: Locator) =>
      locator.evaluate((one: HTMLElement) => [one.offsetWidth, one.offsetHeight]);
    expect(await sideOf(tile(here, 'store'))).toEqual(await sideOf(icon(here, 'plain')));
    await icon(here, 'own').waitFor();
    expect(await here.node('own').locator('.technology-tile').count()).toBe(0);
    await here.select('own');
    const field = here.page.getByLabel('Technology', { exact: true });
    await field.fill('k8s');
    await field.press('Enter');
    await here.node('own').locator('[data-technology="Kubernetes"] img:not([hidden])').waitFor();
    const below = here.page.locator('.technology-icon');
    await below.getByText('The icon of Kubernetes').waitFor();
    const [input, tileBelow] = [
      await field.boundingBox(),
      await below.locator('img:not([hidden])').boundingBox(),
    ];
    if (!input || !tileBelow) throw new Error('The icon is not below its field');
    const gap = tileBelow.y - input.y - input.height;
    expect([gap >= 0 && gap < 16, Math.round(tileBelow.x - input.x)]).toEqual([true, 0]);
    await here.focusCanvas();
    await here.key('Control+Z');
    await icon(here, 'own').waitFor();
    await here.select('own');
    await below.getByText('No icon by this name').waitFor();
  });

  it('is among what the field of the technology completes', async () => {
    const here = await open({ panel: 'properties' });
    await here.select('plain');
    const field = here.page.getByLabel('Technology', { exact: true });
    const completed = () =>
      field.evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));
    await expect.poll(completed).toContain('PostgreSQL');
    const names = await completed();
    expect(names.length).toBeGreaterThan(150);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is in exports, as the server draws it', async () => {
    const here = await open();
    await tile(here, 'store').waitFor();
    const source = await tile(here, 'store').getAttribute('src');
    const file = await here.page.evaluate(async (address) => (await fetch(address)).text(), source ?? '');
    const data = `data:image/svg+xml;base64,${Buffer.from(file).toString('base64')}`;
    const dialog = here.page.getByRole('dialog', { name: 'Export' });
    const save = async (...choices: string[]) => {
      await here.key('Control+Shift+S');
      for (const choice of choices) await dialog.getByRole('radio', { name: choice, exact: true }).check();
      await dialog.locator('.export-preview:is([data-kind="picture"], [data-kind="text"])').waitFor();
      return readFileSync((await saved(here.page)).path);
    };
    const svg = (await save('Whole diagram', 'SVG', 'Light')).toString();
    const drawn = await here.page.evaluate(
      async (address) => (await fetch(address)).text(),
      `/api/v1/workspaces/${here.workspace}/picture.svg`,
    );
    expect(svg).toBe(drawn);
    expect(svg.split(data)).toHaveLength(2);
    expect((await save('Both', 'HTML page')).toString()).toContain(`href="${data}"`);
  });

  it('is left to the icon of the type where it cannot be read', async () => {
    const here = await open();
    await tile(here, 'store').waitFor();
    await here.page.route('**/assets/icons/**', (route) => route.abort());
    const again = await open({}, [{ ...NODES[0], technology: 'MySQL' }]);
    await again.node('store').locator('.technology-tile').waitFor({ state: 'attached' });
    await icon(again, 'store').waitFor();
    const { complaints } = anna.visit;
    await expect.poll(() => complaints).toEqual([expect.stringMatching(/ERR_FAILED/)]);
    expect(await tile(again, 'store').count()).toBe(0);
    await icon(again, 'store').waitFor();
    await here.page.unroute('**/assets/icons/**');
    complaints.splice(0);
  });
});

describe.each(['light', 'dark'] as const)('icons of technologies in the %s theme', (scheme) => {
  it('are clear, and each is read when it is used', async () => {
    const names = ['Kafka', 'AWS Lambda', 'Next.js', 'Rust', 'GitHub', 'Vercel'];
    const nodes = names.map((technology, at) => {
      const position = { x: (at % 3) * 240, y: Math.floor(at / 3) * 140 };
      return { id: `n${at}`, type: 'service', label: technology, technology, position };
    });
    const here = await open({ panel: 'properties' }, nodes);
    await here.page.emulateMedia({ colorScheme: scheme });
    for (const { id } of nodes) await tile(here, id).waitFor();
    await here.select('n0');
    await here.page.getByText('The icon of Apache Kafka').waitFor();
    const ground = await tile(here, 'n3').evaluate((image) => getComputedStyle(image).backgroundColor);
    expect(ground).toBe('rgb(255, 255, 255)');
    expect(await axeViolations(here.page)).toEqual([]);
    const read = await here.page.evaluate(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/icons/')).length,
    );
    expect(read).toBeLessThan(20);
  });
});
