/** Colours and styles in the menu of what is selected. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { atNewWorkspace, Person } from './actors';
import { axeViolations } from './axe';
import { Stage } from './stage';

const at = (x: number, y: number) => ({ position: { x, y } });
const NODES = [
  { id: 'zone', type: 'group', label: 'Zone', ...at(0, 0), size: { width: 320, height: 220 } },
  { id: 'web', type: 'web', label: 'Web', parent: 'zone', ...at(40, 80) },
  { id: 'api', type: 'api', label: 'API', ...at(480, 80) },
];
const EDGES = [{ source: 'web', target: 'api', label: 'asks' }];

let stage: Stage;
let anna: Person;

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', null);
});

afterAll(() => stage?.close());

afterEach(() => {
  expect(anna.visit.complaints).toEqual([]);
});

const open = (nodes: object[] = NODES, edges: object[] = EDGES): Promise<Person> =>
  atNewWorkspace(anna, { text: '# Plan\n', nodes, edges }, { view: 'diagram', panel: 'none' });

interface Looks {
  id: string;
  color: string;
  style: string;
}

const looksIn = async (here: Person): Promise<Record<string, string[]>> => {
  const { diagram } = await here.visit.api<{ diagram: { nodes: Looks[]; edges: Looks[] } }>(
    'GET',
    `/workspaces/${here.workspace}`,
  );
  const all = [...diagram.nodes, ...diagram.edges];
  return Object.fromEntries(all.map(({ id, color, style }) => [id, [color, style]]));
};

describe('the menu of what is selected', () => {
  /** Choose by the keyboard alone: the menu, an item of it, the last of what that offers. */
  const chooseLast = async (here: Person, item: string): Promise<void> => {
    await here.key('Shift+F10');
    await here.page.getByRole('menuitem', { name: item, exact: true }).focus();
    await here.key('ArrowRight');
    await here.page.getByRole('menuitemradio').first().waitFor();
    await here.key('End');
    await here.key('Enter');
  };

  it('gives a colour and a style to nodes, groups and lines together, each as one step', async () => {
    const here = await open();
    const before = await here.revision();
    await here.key('Control+a');
    await here.node('web').locator('.selected').waitFor();
    await chooseLast(here, 'Colour');
    await here.says({ revision: before + 1, pending: 0, condition: 'saved' });
    await chooseLast(here, 'Style');
    await here.says({ revision: before + 2, pending: 0, condition: 'saved' });
    const grey = ['grey', 'muted'];
    expect(await looksIn(here)).toEqual({ zone: grey, web: grey, api: grey, 'web--api': grey });
  });

  it('says what one thing has, shows samples, and gives a line its own', async () => {
    const coloured = NODES.map((node) => (node.id === 'api' ? { ...node, color: 'teal' } : node));
    const here = await open(coloured);
    await here.select('api');
    await here.key('Shift+F10');
    await here.page.getByRole('menuitem', { name: 'Colour', exact: true }).focus();
    await here.key('ArrowRight');
    const teal = here.page.getByRole('menuitemradio', { name: 'Teal' });
    await teal.waitFor();
    expect(await teal.getAttribute('aria-checked')).toBe('true');
    const sample = teal.locator('circle');
    expect(await sample.evaluate((one) => getComputedStyle(one).fill)).toBe('rgb(15, 118, 110)');
    expect(await axeViolations(here.page)).toEqual([]);
    await here.key('Escape');
    await here.page.getByRole('menu').first().waitFor({ state: 'detached' });
    await here.select('web');
    await here.key('e');
    await here.page.locator('.react-flow__edge.selected').waitFor({ state: 'attached' });
    await chooseLast(here, 'Style');
    await expect.poll(async () => (await looksIn(here))['web--api']).toEqual(['', 'muted']);
    expect((await looksIn(here)).web).toEqual(['', '']);
  });

  it('changes nothing that is locked, and says what is', async () => {
    const locked = NODES.map((node) => (node.id === 'zone' ? { ...node, locked: true } : node));
    const here = await open(locked);
    const before = await here.revision();
    await here.select('api', 'web');
    await chooseLast(here, 'Colour');
    await here.page.getByText('Nothing was changed: “Zone” is locked').waitFor();
    expect(await here.revision()).toBe(before);
  });
});
