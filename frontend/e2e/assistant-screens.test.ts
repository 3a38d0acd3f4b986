/** Every screen of the assistant in both themes, looked at as all other screens are. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ASSISTANT_SCREENS, COMMAND_SCREENS } from './assistantScreens';
import { look } from './look';
import { Rehearsal } from './rehearsal';
import type { Scene } from './screens';
import { Stage } from './stage';
import { Wire } from './wire';

let stage: Stage;
let scene: Scene;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in without a key' });
  scene = await prepare();
});

afterAll(async () => {
  await scene?.wire.close();
  await stage?.close();
});

async function prepare(): Promise<Scene> {
  const wire = await Wire.to(stage.url);
  const visit = await stage.person('light', wire.url);
  const other = await stage.person();
  for (const [one, name] of [
    [visit, 'Anna'],
    [other, 'Ben'],
  ] as const) {
    await one.page.goto('/');
    await one.api('PATCH', '/me', { name });
  }
  const made = { name: 'Checkout platform', template: 'sample' };
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', made);
  return { visit, page: visit.page, sample: id, wire, other, model: new Rehearsal(stage.rehearsal) };
}

afterEach(() => {
  expect([...scene.visit.complaints.splice(0), ...scene.other.complaints.splice(0)]).toEqual([]);
});

describe('without a model', () => {
  it.each(COMMAND_SCREENS)('$name is clear', async (screen) => {
    expect(await look(screen, scene)).toEqual([]);
  });
});

describe('with a model', () => {
  beforeAll(async () => {
    await scene.visit.api('PUT', '/assistant/key', { api_key: 'sk-rehearsal' });
    await scene.visit.api('DELETE', `/workspaces/${scene.sample}/conversation`);
  });

  it.each(ASSISTANT_SCREENS)('$name is clear', async (screen) => {
    expect(await look(screen, scene)).toEqual([]);
  });
});
