/** Colours and styles beside Properties: in the menu of what is selected, in the minimap and in the legend. */
import { describe, expect, it } from 'vitest';
import { atNewWorkspace, type Person } from './actors';
import { axeViolations } from './axe';
import { withAnna } from './withAnna';

const at = (x: number, y: number) => ({ position: { x, y } });
const NODES = [
  { id: 'zone', type: 'group', label: 'Zone', ...at(0, 0), size: { width: 320, height: 220 } },
  { id: 'web', type: 'web', label: 'Web', parent: 'zone', ...at(40, 80) },
  { id: 'api', type: 'api', label: 'API', ...at(480, 80) },
];
const EDGES = [{ source: 'web', target: 'api', label: 'asks' }];

let anna: Person;

withAnna((person) => {
  anna = person;
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
    const hasFocus = (role: string) =>
      here.page.waitForFunction(
        (wanted) => document.activeElement?.closest(wanted) != null,
        `[role="${role}"]`,
      );
    await here.key('Shift+F10');
    await hasFocus('menu');
    await here.page.getByRole('menuitem', { name: item, exact: true }).focus();
    await here.key('ArrowRight');
    await hasFocus('menuitemradio');
    await here.key('End');
    await here.page.locator('[role="menuitemradio"]:focus:last-child').waitFor();
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
    await here.saved();
    expect(await here.revision()).toBe(before);
  });
});

describe('what gives an overview', () => {
  const looked = NODES.map((node) => ({ ...node, color: node.id === 'api' ? 'pink' : 'teal' }));

  it.each([
    ['light', [190, 24, 93]],
    ['dark', [244, 114, 182]],
  ] as const)(
    'shows nodes and groups in colours of their own in the minimap, in %s',
    async (scheme, pink) => {
      await anna.page.emulateMedia({ colorScheme: scheme });
      const here = await open(looked);
      const colours = () =>
        here.page.locator('.overview canvas').evaluate((one: HTMLCanvasElement) => {
          const { data } = (one.getContext('2d') as CanvasRenderingContext2D).getImageData(
            0,
            0,
            one.width,
            one.height,
          );
          const counts = new Map<string, number>();
          for (let from = 0; from < data.length; from += 4) {
            const [red, green, blue, alpha] = data.slice(from, from + 4);
            const key = `${red},${green},${blue} ${alpha === 255 ? 'whole' : alpha === 0 ? 'none' : 'part'}`;
            counts.set(key, (counts.get(key) ?? 0) + 1);
          }
          return Object.fromEntries(counts);
        });
      await expect.poll(async () => (await colours())[`${pink.join()} whole`] ?? 0).toBeGreaterThan(100);
      const [red, green, blue] = scheme === 'light' ? [15, 118, 110] : [45, 212, 191];
      const found = await colours();
      expect(found[`${[red, green, blue].join()} whole`]).toBeGreaterThan(100);
      // The group is a wash of its colour, on which what stands in it is seen: far more than the soft edges of a card.
      const isWash = (key: string) => {
        const parts = key.split(/[ ,]/);
        return (
          parts[3] === 'part' &&
          [red, green, blue].every((part, index) => Math.abs(Number(parts[index]) - (part ?? 0)) < 6)
        );
      };
      const washed = Object.entries(found).filter(([key]) => isWash(key));
      expect(washed.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(400);
      await anna.page.emulateMedia({ colorScheme: 'light' });
    },
  );

  it('names styles and colours in the legend, beside the kinds of lines, as long as they are there', async () => {
    const here = await open(looked, [{ ...EDGES[0], style: 'dashed' }]);
    const names = () => here.page.getByRole('list', { name: 'Legend' }).getByRole('listitem').allInnerTexts();
    await expect.poll(names).toEqual(['Dashed', 'Teal', 'Pink']);
    const sample = here.page.locator('.edge-key [data-style="dashed"]');
    expect(await sample.evaluate((one) => getComputedStyle(one).strokeDasharray)).toBe('6px, 4px');
    const zoomOut = here.page.getByRole('button', { name: 'Zoom out' });
    for (let step = 0; step < 6; step += 1) await zoomOut.click();
    const enlarged = () =>
      here.page
        .locator('.react-flow')
        .evaluate((one) => Number(getComputedStyle(one).getPropertyValue('--enlarged')));
    await expect.poll(enlarged).toBeGreaterThan(2);
    expect(await sample.evaluate((one) => getComputedStyle(one).strokeWidth)).toBe('1.5px');
    expect(await axeViolations(here.page)).toEqual([]);
    await here.batch(
      { op: 'update_edge', id: 'web--api', style: null },
      { op: 'add_edge', source: 'api', target: 'web', kind: 'async' },
      { op: 'update_node', id: 'api', color: null },
    );
    await expect.poll(names).toEqual(['Synchronous call', 'Asynchronous message', 'Teal']);
  });
});
