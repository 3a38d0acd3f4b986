/** Preferences that are stored in this browser, such as theme and view. Nothing of a workspace's content. */

export type Theme = 'system' | 'light' | 'dark';
export type ViewMode = 'diagram' | 'split' | 'document';
export type PanelName = 'assistant' | 'properties' | 'history';

export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
export const VIEW_MODES: readonly ViewMode[] = ['diagram', 'split', 'document'];

/** Reads a choice; the fallback where nothing valid is stored, or storage is forbidden. */
function recall<T extends string>(key: string, allowed: readonly T[], fallback: T): T {
  const kept = stored(key);
  return allowed.find((value) => value === kept) ?? fallback;
}

/** What is stored; null also where storage is forbidden, as in a frame. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden or full; the choice then lasts as long as the page.
  }
}

/** Where a library stores the sizes of panels itself. */
export const layoutStorage = { getItem: stored, setItem: remember };

export const recallViewMode = (): ViewMode => recall('draftsmith.view', VIEW_MODES, 'split');
export const rememberViewMode = (mode: ViewMode): void => remember('draftsmith.view', mode);

/** The side panel that was open last; closed until one was opened. */
export const recallPanel = (): PanelName | null => {
  const name = recall('draftsmith.panel', ['none', 'assistant', 'properties', 'history'], 'none');
  return name === 'none' ? null : (name as PanelName);
};
export const rememberPanel = (panel: PanelName | null): void => remember('draftsmith.panel', panel ?? 'none');

/** Whether Markdown looks as it is read where it is written, or as its plain source. */
export type WritingLook = 'live' | 'source';
export const recallLook = () => recall<WritingLook>('draftsmith.look', ['source', 'live'], 'source');
export const rememberLook = (look: WritingLook): void => remember('draftsmith.look', look);

/** Whether the assistant's changes are applied or proposed. */
export type ApplyMode = 'auto' | 'apply' | 'propose';
export const recallApplyMode = () =>
  recall<ApplyMode>('draftsmith.assistant', ['auto', 'apply', 'propose'], 'auto');
export const rememberApplyMode = (mode: ApplyMode): void => remember('draftsmith.assistant', mode);

/** Whether the legend of the diagram is open; by itself it is where it covers nothing. */
export const recallLegend = () => recall('draftsmith.legend', ['auto', 'open', 'closed'] as const, 'auto');
export const rememberLegend = (legend: 'open' | 'closed'): void => remember('draftsmith.legend', legend);

/** The order of the list of workspaces. */
export const recallSort = () => recall('draftsmith.sort', ['changed', 'name'] as const, 'changed');
export const rememberSort = (sort: 'changed' | 'name'): void => remember('draftsmith.sort', sort);

let theme: Theme | null = null;
const watchers = new Set<() => void>();

/** The chosen theme. */
export function recallTheme(): Theme {
  theme ??= recall('draftsmith.theme', THEMES, 'system');
  return theme;
}

/** Applies a theme to the page and stores it. */
export function chooseTheme(chosen: Theme): void {
  theme = chosen;
  remember('draftsmith.theme', chosen);
  applyTheme(chosen);
  for (const watcher of watchers) watcher();
}

/** Subscribes to changes of the theme and of the tour on this page. Returns a function that unsubscribes. */
export function subscribeToPreferences(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function applyTheme(chosen: Theme): void {
  document.documentElement.dataset.theme = chosen;
  // The browser's own frame around the page follows the theme.
  for (const color of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { of } = color.dataset;
    color.media = chosen === 'system' ? `(prefers-color-scheme: ${of})` : chosen === of ? 'all' : 'not all';
  }
}

/** Whether the tour was shown in this browser, or declined. */
export const hasSeenTour = (): boolean => recall('draftsmith.tour', ['new', 'seen'], 'new') === 'seen';
export const rememberTour = (): void => remember('draftsmith.tour', 'seen');
/** Shows the tour again; subscribers (`subscribeToPreferences`) are called at once. */
export function resetTour(): void {
  forget('draftsmith.tour');
  for (const watcher of watchers) watcher();
}

const MAX_RECENT = 5;

/** Ids of the commands chosen last from the palette, newest first. */
export function recallCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem('draftsmith.commands') ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const recent = [id, ...recallCommands().filter((other) => other !== id)].slice(0, MAX_RECENT);
  remember('draftsmith.commands', JSON.stringify(recent));
}

/** Whether somebody declined to enter a name; then they are not asked again. */
export const hasDeclinedName = (): boolean =>
  recall('draftsmith.name', ['asked', 'declined'], 'asked') === 'declined';
export const rememberDeclinedName = (): void => remember('draftsmith.name', 'declined');

/** The collapsed groups of a workspace in this browser. */
export function recallFolds(workspace: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`draftsmith.folds.${workspace}`) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberFolds(workspace: string, groups: readonly string[]): void {
  const key = `draftsmith.folds.${workspace}`;
  if (groups.length > 0) remember(key, JSON.stringify(groups));
  else forget(key);
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Where nothing can be stored, nothing is.
  }
}
