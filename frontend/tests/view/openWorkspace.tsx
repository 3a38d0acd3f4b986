/** A part of an open workspace in jsdom, and a connection on which a test says what the server says. */
import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';
import type { ClientMessage, ServerMessage } from '../../src/protocol/live';
import { EditorProvider } from '../../src/view/context/EditorContext';
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

export class OpenWorkspace {
  readonly page = document.createElement('div');
  private readonly root: Root = createRoot(this.page);
  private readonly queries = createQueryClient();

  private constructor() {}

  /** Open it, and let the server say this first. Globals are stubbed until `close`. */
  static async with(...frame: ServerMessage[]): Promise<OpenWorkspace> {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    vi.stubGlobal('WebSocket', Socket);
    vi.stubGlobal('matchMedia', () => ({
      matches: false,
      addEventListener() {},
      removeEventListener() {},
    }));
    const opened = new OpenWorkspace();
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
            <EditorProvider id="w">{part}</EditorProvider>
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

  /** What the page has sent. */
  get sent(): readonly ClientMessage[] {
    return Socket.newest?.sent ?? [];
  }

  async close(): Promise<void> {
    await act(async () => this.root.unmount());
    this.queries.clear();
    vi.unstubAllGlobals();
  }
}
