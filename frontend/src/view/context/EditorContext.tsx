/** A workspace open on this page: the live client, what is selected, what can be done. Everything in it asks for these here. */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { linkedNode } from '../../model/text/nodeLink';
import { type Access, accessOf } from '../../model/words/access';
import type { Operation, PresenceState } from '../../protocol/live';
import { LiveClient } from '../../sync/client/client';
import { LiveStore, type Snapshot } from '../../sync/editor/snapshot';
import { type Outcome, whyOf } from '../../sync/session/outcome';
import { type Command, Commands } from '../commands/commands';
import { useToasts } from '../ui/Toasts';
import { useIsPhone } from '../ui/useMedia';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { type UiState, UiStore } from './uiState';

export type { Access } from '../../model/words/access';

export interface EditorContext {
  /** Id of the workspace. */
  id: string;
  client: LiveClient;
  live: LiveStore;
  ui: UiStore;
  commands: Commands;
  access: Access;
  /** Change something, with a toast where it is refused. What nobody may change is left alone, with a word about it. */
  edit: (operations: readonly Operation[], explanation?: string) => Promise<Outcome | null>;
  /** Tell others where one is; parts that are not given stay. */
  present: (state: Partial<PresenceState>) => void;
}

const Context = createContext<EditorContext | null>(null);

export function useEditorContext(): EditorContext {
  const context = useContext(Context);
  if (!context) throw new Error('useEditorContext outside of EditorProvider');
  return context;
}

/** A part of what is live; drawn anew only when that part is another one. */
export function useLive<T>(part: (snapshot: Snapshot) => T): T {
  return useStore(useEditorContext().live.state, part);
}

/** A part of what this page alone knows. */
export function useUiState<T>(part: (state: UiState) => T): T {
  return useStore(useEditorContext().ui.state, part);
}

/** Offer commands while a part of the page is there; they may close over its newest values. */
export function useCommands(list: readonly Command[]): void {
  const { commands } = useEditorContext();
  const newest = useRef(list);
  newest.current = list;
  useEffect(() => commands.add(() => newest.current), [commands]);
}

interface Tools {
  client: LiveClient;
  live: LiveStore;
  ui: UiStore;
  commands: Commands;
}

interface Props {
  id: string;
  children: ReactNode;
}

/** Opens the workspace, and closes it with the page. */
export function EditorProvider({ id, children }: Props) {
  const [tools, setTools] = useState<Tools | null>(null);
  useEffect(() => {
    const client = new LiveClient({ workspace: id });
    const live = new LiveStore(client);
    const ui = new UiStore(linkedNode(window.location.hash));
    const commands = new Commands();
    const prune = () => {
      // What is selected in an old revision may be there alone; it is looked at once that is left.
      if (ui.get().viewed) return;
      ui.prune(
        (node) => client.view.nodes.has(node),
        (edge) => client.view.edges.has(edge),
      );
    };
    const endPruning = client.subscribe(({ nodes, edges }) => {
      if (nodes === 'all' || edges === 'all' || nodes.size + edges.size > 0) prune();
    });
    const endWatching = ui.state.subscribe((now, before) => {
      if (before.viewed && !now.viewed) prune();
    });
    setTools({ client, live, ui, commands });
    client.start();
    return () => {
      endPruning();
      endWatching();
      live.close();
      void client.finish();
    };
  }, [id]);
  if (!tools) return null;
  return (
    <Opened id={id} tools={tools}>
      {children}
    </Opened>
  );
}

function Opened({ id, tools, children }: Props & { tools: Tools }) {
  const { client } = tools;
  const toasts = useToasts();
  const presence = useRef<PresenceState>({});
  const { isWritable, reason } = useAccess(tools);
  const edit = useCallback(
    async (operations: readonly Operation[], explanation?: string): Promise<Outcome | null> => {
      if (operations.length === 0) return null;
      if (!isWritable) {
        toasts.show({ text: 'Nothing was changed', detail: reason });
        return null;
      }
      const outcome = await client.edit(operations, explanation ? { explanation } : {});
      // What was refused stands in the tray, with all its reasons; the toast only says so.
      if (outcome.kind === 'rejected')
        toasts.show({ text: 'That did not fit', detail: whyOf(outcome), tone: 'bad' });
      return outcome;
    },
    [client, toasts, isWritable, reason],
  );
  const present = useCallback(
    (state: Partial<PresenceState>) => {
      presence.current = { ...presence.current, ...state };
      client.present(presence.current);
    },
    [client],
  );
  const context = useMemo<EditorContext>(
    () => ({ id, ...tools, access: { isWritable, reason }, edit, present }),
    [id, tools, isWritable, reason, edit, present],
  );
  useKeys(tools);
  return <Context value={context}>{children}</Context>;
}

/** What may be done here: by role, by the state of the workspace, by the size of the screen, by what is in sight. */
function useAccess({ live, ui }: Tools): Access {
  const role = useStore(live.state, (state) => state.role);
  const frozen = useStore(live.state, (state) => state.frozen);
  const isViewingOld = useStore(ui.state, ({ viewed }) => viewed !== null);
  return accessOf({ role, frozen, isPhone: useIsPhone(), isViewingOld });
}

/** Keys anywhere on the page go to the commands, unless a dialog is open. */
function useKeys({ commands, ui }: Tools): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isModalOpen()) return;
      const target = event.target instanceof Element ? event.target : null;
      const place = {
        isTyping: isTyping(target),
        isCanvas: target === document.body || target?.closest('.diagram-pane') !== null,
      };
      if (commands.press(event, place)) event.preventDefault();
    };
    const follow = (event: FocusEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('#document')) ui.set({ focus: 'document' });
      else if (target?.closest('#diagram')) ui.set({ focus: 'canvas' });
    };
    window.addEventListener('keydown', listen);
    window.addEventListener('focusin', follow);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener('focusin', follow);
    };
  }, [commands, ui]);
}
