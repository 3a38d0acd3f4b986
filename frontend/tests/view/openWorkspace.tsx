/** A part of an open workspace in jsdom, and a connection on which a test says what the server says. */
import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';
import type { ClientMessage, Operation, ServerMessage } from '../../src/protocol/live';
import { type EditorContext, EditorProvider, useEditorContext } from '../../src/view/context/EditorContext';
import { createQueryClient } from '../../src/view/queries';
import { ToastProvider } from '../../src/view/ui/overlay/Toasts';

class Socket {
  static newest: Socket | null = null;
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: object) => void) | null = null;
  onclose: ((event: object) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  readonly sent: ClientMessage[] = [];

  constructor() {
    Socket.newest = this;
  }

  send(text: string): void {
    this.sent.push(...([JSON.parse(text)].flat() as ClientMessage[]));
  }

  close(): void {}
}

/** Media queries, which all fail unless they ask for a phone and the page is on one. */
class Media {
  isPhone = false;
  private readonly listeners = new Set<() => void>();

  readonly match = (query: string) => ({
    matches: this.isPhone && query.includes('max-width: 479px'),
    addEventListener: (_: string, listener: () => void) => this.listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => this.listeners.delete(listener),
  });

  change(isPhone: boolean): void {
    this.isPhone = isPhone;
    for (const listener of this.listeners) listener();
  }
}

function Hold({ by }: { by: (context: EditorContext) => void }) {
  by(useEditorContext());
  return null;
}

export class OpenWorkspace {
  readonly page = document.createElement('div');
  private readonly root: Root = createRoot(this.page);
  private readonly queries = createQueryClient();
  private readonly media = new Media();
  private held: EditorContext | null = null;

  private constructor(private readonly id: string) {}

  /** Open it, and let the server say this first. Globals are stubbed until `close`. */
  static with(...frame: ServerMessage[]): Promise<OpenWorkspace> {
    return OpenWorkspace.called('w', ...frame);
  }

  /** Likewise, by an id of its own: what a page keeps of a workspace outlives `close`. */
  static async called(id: string, ...frame: ServerMessage[]): Promise<OpenWorkspace> {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    vi.stubGlobal('WebSocket', Socket);
    const opened = new OpenWorkspace(id);
    vi.stubGlobal('matchMedia', opened.media.match);
    await opened.draw(null);
    await act(async () => Socket.newest?.onopen?.({}));
    await opened.hear(...frame);
    return opened;
  }

  /** Draw a part of its page in the place of what was drawn before. */
  draw(part: ReactNode): Promise<void> {
    return act(async () =>
      this.root.render(
        <QueryClientProvider client={this.queries}>
          <ToastProvider>
            <EditorProvider id={this.id}>
              <Hold
                by={(context) => {
                  this.held = context;
                }}
              />
              {part}
            </EditorProvider>
          </ToastProvider>
        </QueryClientProvider>,
      ),
    );
  }

  hear(...frame: ServerMessage[]): Promise<void> {
    return act(async () => Socket.newest?.onmessage?.({ data: JSON.stringify(frame) }));
  }

  lose(): Promise<void> {
    return act(async () => Socket.newest?.onclose?.({ code: 1006, reason: '' }));
  }

  /** Show it on a screen as small as that of a phone, or no longer. */
  resize(isPhone: boolean): Promise<void> {
    return act(async () => this.media.change(isPhone));
  }

  get context(): EditorContext {
    return this.held as EditorContext;
  }

  select(nodes: readonly string[], edges: readonly string[] = []): Promise<void> {
    return act(async () => this.context.ui.select(nodes, edges));
  }

  /** What the page has sent. */
  get sent(): readonly ClientMessage[] {
    return Socket.newest?.sent ?? [];
  }

  /** The changes that it has sent: one list of operations for each step. */
  get steps(): readonly Operation[][] {
    return this.sent.flatMap((message) =>
      message.t === 'submit' ? [message.operations as Operation[]] : [],
    );
  }

  async close(): Promise<void> {
    await act(async () => this.root.unmount());
    this.queries.clear();
    vi.unstubAllGlobals();
  }
}
