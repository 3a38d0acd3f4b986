/** Every screen of the assistant in both themes, looked at as all other screens are. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ASSISTANT_SCREENS, COMMAND_SCREENS } from './assistantScreens';
import { look, type Theme } from './look';
import { Rehearsal } from './rehearsal';
import type { Scene } from './screens';
import { Stage } from './stage';
import { Wire } from './wire';

const THEMES = ['light', 'dark'] as const;

let stage: Stage;
const scenes = new Map<Theme, Scene>();

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in without a key' });
  for (const theme of THEMES) scenes.set(theme, await prepare(theme));
});

afterAll(async () => {
  for (const { wire } of scenes.values()) await wire.close();
  await stage?.close();
});

async function prepare(theme: Theme): Promise<Scene> {
  const wire = await Wire.to(stage.url);
  const visit = await stage.person(theme, wire.url);
  const other = await stage.person(theme);
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

const sceneIn = (theme: Theme): Scene => scenes.get(theme) as Scene;

afterEach(() => {
  for (const { visit, other } of scenes.values())
    expect([...visit.complaints.splice(0), ...other.complaints.splice(0)]).toEqual([]);
});

describe.each(THEMES)('without a model, in the %s theme', (theme) => {
  it.each(COMMAND_SCREENS)('$name is clear', async (screen) => {
    expect(await look(screen, sceneIn(theme), theme)).toEqual([]);
  });
});

describe.each(THEMES)('with a model, in the %s theme', (theme) => {
  beforeAll(async () => {
    await sceneIn(theme).visit.api('PUT', '/assistant/key', { api_key: 'sk-rehearsal' });
    await sceneIn(theme).visit.api('DELETE', `/workspaces/${sceneIn(theme).sample}/conversation`);
  });

  it.each(ASSISTANT_SCREENS)('$name is clear', async (screen) => {
    expect(await look(screen, sceneIn(theme), theme)).toEqual([]);
  });
});
