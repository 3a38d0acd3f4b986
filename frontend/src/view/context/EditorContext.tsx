/** The React context of an open workspace: live client, UI state, commands, access. */
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
import { useToasts } from '../ui/overlay/Toasts';
import { useIsPhone } from '../ui/useMedia';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { ActivityFeed } from './activity';
import { IS_EMBEDDED } from './embedded';
import { type UiState, UiStore } from './uiState';

export type { Access } from '../../model/words/access';

export interface EditorContext {
  /** Id of the workspace. */
  id: string;
  client: LiveClient;
  live: LiveStore;
  ui: UiStore;
  commands: Commands;
  activity: ActivityFeed;
  access: Access;
  /** Applies operations, with a toast on refusal. Without write access nothing is changed, and a toast says why. */
  edit: (operations: readonly Operation[], explanation?: string) => Promise<Outcome | null>;
  /** Sends presence; missing fields stay as they are. */
  present: (state: Partial<PresenceState>) => void;
}

const Context = createContext<EditorContext | null>(null);

export function useEditorContext(): EditorContext {
  const context = useContext(Context);
  if (!context) throw new Error('useEditorContext outside of EditorProvider');
  return context;
}

/** A selected part of the snapshot; rerenders only when that part changes. */
export function useLive<T>(part: (snapshot: Snapshot) => T): T {
  return useStore(useEditorContext().live.state, part);
}

/** A selected part of the UI state. */
export function useUiState<T>(part: (state: UiState) => T): T {
  return useStore(useEditorContext().ui.state, part);
}

/** Registers commands while the component is mounted; they may close over current values. */
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
  activity: ActivityFeed;
}

interface Props {
  id: string;
  children: ReactNode;
}

/** Opens the workspace, and closes it on unmount. */
export function EditorProvider({ id, children }: Props) {
  const [tools, setTools] = useState<Tools | null>(null);
  useEffect(() => {
    const client = new LiveClient({ workspace: id });
    const live = new LiveStore(client);
    const ui = new UiStore(linkedNode(window.location.hash));
    const commands = new Commands();
    const activity = new ActivityFeed();
    const prune = () => {
      // A selected node may exist in an old revision only; it is checked when that is closed.
      if (ui.get().viewed) return;
      ui.prune(
        (node) => client.view.nodes.has(node),
        (edge) => client.view.edges.has(edge),
      );
    };
    const endListening = client.subscribe((change) => {
      const { nodes, edges } = change;
      activity.add(change, live.state.getState());
      if (nodes === 'all' || edges === 'all' || nodes.size + edges.size > 0) prune();
    });
    const endWatching = ui.state.subscribe((now, before) => {
      if (before.viewed && !now.viewed) prune();
    });
    setTools({ client, live, ui, commands, activity });
    client.start();
    return () => {
      endListening();
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
  const { client, ui } = tools;
  const toasts = useToasts();
  const presence = useRef<PresenceState>({});
  const { isWritable, isDraft, isTextWritable, reason } = useAccess(tools);
  const edit = useCallback(
    async (operations: readonly Operation[], explanation?: string): Promise<Outcome | null> => {
      if (!isWritable) {
        toasts.show({ text: 'Nothing was changed', detail: reason });
        return null;
      }
      if (operations.length === 0) return null;
      const outcome = await client.edit(operations, explanation ? { explanation } : {});
      // The refused change is in the tray, with all its problems.
      if (outcome.kind === 'rejected')
        toasts.show({ text: 'That did not fit', detail: whyOf(outcome), tone: 'bad' });
      else ui.warned?.(outcome.warnings);
      return outcome;
    },
    [client, ui, toasts, isWritable, reason],
  );
  const present = useCallback(
    (state: Partial<PresenceState>) => {
      presence.current = { ...presence.current, ...state };
      client.present(presence.current);
    },
    [client],
  );
  const context = useMemo<EditorContext>(
    () => ({ id, ...tools, access: { isWritable, isDraft, isTextWritable, reason }, edit, present }),
    [id, tools, isWritable, isDraft, isTextWritable, reason, edit, present],
  );
  useKeys(tools);
  return <Context value={context}>{children}</Context>;
}

/** Access by role, state of the workspace, screen size and shown revision. */
function useAccess({ live, ui }: Tools): Access {
  const role = useStore(live.state, (state) => state.role);
  const frozen = useStore(live.state, (state) => state.frozen);
  const isViewingOld = useStore(ui.state, ({ viewed }) => viewed !== null);
  return accessOf({ role, frozen, isPhone: useIsPhone(), isViewingOld, isEmbedded: IS_EMBEDDED });
}

/** Passes keys to the commands, unless a dialog is open. */
function useKeys({ commands, ui }: Tools): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isModalOpen()) return;
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
