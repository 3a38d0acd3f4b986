// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { type Command, Commands } from '../../src/view/commands/commands';

const PAGE = { isTyping: false, isCanvas: false };
const CANVAS = { isTyping: false, isCanvas: true };
const TYPING = { isTyping: true, isCanvas: false };

const command = (parts: Partial<Command>): Command => ({
  id: 'edit.try',
  title: 'Try',
  group: 'Edit',
  run: vi.fn(),
  ...parts,
});

const key = (name: string, parts: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key: name, code: `Key${name.toUpperCase()}`, ...parts });

function withOne(parts: Partial<Command>): { commands: Commands; one: Command } {
  const commands = new Commands();
  const one = command(parts);
  commands.add(() => [one]);
  return { commands, one };
}

describe('commands', () => {
  it('are there as long as what offers them', () => {
    const commands = new Commands();
    const remove = commands.add(() => [command({})]);
    expect(commands.run('edit.try')).toBe(true);
    remove();
    expect(commands.run('edit.try')).toBe(false);
  });

  it('run only while they are enabled, and leave the key to others else', () => {
    const { commands, one } = withOne({ keys: ['V'], isEnabled: () => false });
    expect(commands.run('edit.try')).toBe(false);
    expect(commands.press(key('v'), PAGE)).toBe(false);
    expect(one.run).not.toHaveBeenCalled();
    const other = command({ id: 'edit.other', keys: ['V'] });
    commands.add(() => [other]);
    expect(commands.press(key('v'), PAGE)).toBe(true);
    expect(other.run).toHaveBeenCalledOnce();
  });

  it.each([
    ['page', PAGE, true],
    ['page', TYPING, false],
    ['canvas', PAGE, false],
    ['canvas', CANVAS, true],
    ['canvas', TYPING, false],
    ['everywhere', TYPING, true],
  ] as const)('with the reach %s at %j: %s', (reach, place, isTaken) => {
    expect(withOne({ keys: ['V'], reach }).commands.press(key('v'), place)).toBe(isTaken);
  });

  it('leave alone what an input method is putting together', () => {
    const { commands } = withOne({ keys: ['Enter'], reach: 'everywhere' });
    expect(commands.press(key('Enter', { isComposing: true }), TYPING)).toBe(false);
    expect(commands.press(key('Enter'), TYPING)).toBe(true);
  });

  it('are offered by group, once, without the hidden and the disabled', () => {
    const commands = new Commands();
    commands.add(() => [
      command({ id: 'go.home', group: 'Go' }),
      command({ id: 'go.find', group: 'Go', isHidden: true }),
      command({ id: 'edit.undo', isEnabled: () => false, keys: ['Mod+Z'] }),
      command({ id: 'edit.cut' }),
    ]);
    commands.add(() => [command({ id: 'edit.cut' })]);
    expect(commands.offered().map(({ id }) => id)).toEqual(['edit.cut', 'go.home']);
    expect(commands.withKeys().map(({ id }) => id)).toEqual(['edit.undo']);
  });
});
