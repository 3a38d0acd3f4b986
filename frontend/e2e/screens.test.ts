/**
 * Every screen in both themes and at three sizes: nothing that axe finds, nothing on the console, nothing cut or covered,
 * every label and line clear. `SHOTS=folder` leaves pictures of all of them for people to look at.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from './axe';
import { canvasFlaws } from './layout';
import { look, SIZES } from './look';
import { CUT_SCREENS, HOME_SCREENS, type Scene, type Screen, WORKSPACE_SCREENS } from './screens';
import { Stage } from './stage';
import { Wire } from './wire';

const TEMPLATES = ['sample', 'web-service', 'event-driven', 'data-pipeline'];

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage?.close();
});

async function make(scene: Pick<Scene, 'visit'>, template: string, name: string): Promise<string> {
  return (await scene.visit.api<{ id: string }>('POST', '/workspaces', { name, template })).id;
}

/** A sample with a past: something added, changed and taken away. */
async function withPast({ visit, sample }: Scene): Promise<void> {
  const batch = (operations: object[], explanation: string) =>
    visit.api('POST', `/workspaces/${sample}/batches`, { operations, explanation });
  await batch([{ op: 'update_node', id: 'checkout', technology: 'Kotlin 2.1, Ktor' }], 'Newer Kotlin');
  await batch(
    [
      {
        op: 'add_node',
        id: 'ledger',
        type: 'database',
        label: 'Ledger',
        position: { x: 1108, y: 1010 },
        technology: 'PostgreSQL',
      },
      { op: 'add_edge', id: 'payments--ledger', source: 'payments', target: 'ledger', label: 'Entries' },
    ],
    'Keep what was charged',
  );
}

describe('every screen', () => {
  let scene: Scene;

  beforeAll(async () => {
    const wire = await Wire.to(stage.url);
    const visit = await stage.person('light', wire.url);
    scene = { visit, page: visit.page, sample: '', wire, other: await stage.person() };
    await scene.page.goto('/');
    await scene.other.page.goto('/');
  });

  afterAll(async () => {
    await scene?.visit.context.close();
    await scene?.other.context.close();
    await scene?.wire.close();
  });

  const home: Screen = {
    name: 'home-empty',
    mayScroll: true,
    open: async ({ page }) => {
      await page.goto('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page
        .getByText(/No workspaces yet|first/)
        .first()
        .waitFor();
    },
  };

  it('an empty home is clear', async () => {
    expect(await look(home, scene)).toEqual([]);
  });

  it('has what the screens show', async () => {
    scene.sample = await make(scene, 'sample', 'Checkout platform');
    await withPast(scene);
    const gone = await make(scene, 'blank', 'Old plan');
    const answer = await scene.page.evaluate(
      async (id) =>
        (
          await fetch(`/api/v1/workspaces/${id}`, {
            method: 'DELETE',
            headers: { 'content-type': 'application/json' },
          })
        ).status,
      gone,
    );
    expect(answer).toBeLessThan(300);
  });

  it.each([...HOME_SCREENS, ...WORKSPACE_SCREENS, ...CUT_SCREENS])('$name is clear', async (screen) => {
    expect(await look(screen, scene)).toEqual([]);
    const complaints = scene.visit.complaints.splice(0);
    expect(complaints.filter((one) => !screen.saying?.test(one))).toEqual([]);
  });
});

describe('labels and lines', () => {
  it.each(TEMPLATES)('of %s are clear at every size, in Diagram and in Split', async (template) => {
    const visit = await stage.person();
    const { page } = visit;
    await page.goto('/');
    const id = await make({ visit }, template, template);
    for (const view of ['diagram', 'split']) {
      await visit.openWithin(id, { view });
      await page.locator('.edge-label').first().waitFor();
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await settled(page);
        await expect.poll(() => canvasFlaws(page), { message: `${view} at ${size.width}` }).toEqual([]);
      }
    }
    await visit.context.close();
  });
});
