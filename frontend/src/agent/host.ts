/**
 * The program that shows this page, over `postMessage`: JSON-RPC 2.0 as the extension MCP Apps says. It alone is
 * listened to, and it alone reaches the server. Not here: what is shown.
 */

export type Shape = Readonly<Record<string, unknown>>;

const PROTOCOL = '2026-01-26';

interface Waiting {
  resolve: (result: Shape) => void;
  reject: (error: Error) => void;
}

export class Host {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(
    private readonly page: Window,
    private readonly onNotification: (method: string, params: Shape) => void,
  ) {
    page.addEventListener('message', (event) => {
      if (event.source === page.parent) this.receive(event.data);
    });
  }

  /** Introduces the page; answers what the host says of itself. */
  async begin(version: string): Promise<Shape> {
    const appInfo = { name: 'draftsmith-view', title: 'Draftsmith', version };
    const answer = await this.ask('ui/initialize', {
      protocolVersion: PROTOCOL,
      appInfo,
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    });
    this.tell('ui/notifications/initialized', {});
    return answer;
  }

  ask(method: string, params: Shape): Promise<Shape> {
    const id = ++this.last;
    this.post({ id, method, params });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  tell(method: string, params: Shape): void {
    this.post({ method, params });
  }

  private post(message: Shape): void {
    // The origin of the host is not known to a page in a sandbox; nothing secret is in what is sent.
    this.page.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  private receive(data: unknown): void {
    const message = shapeOf(data);
    if (message.jsonrpc !== '2.0') return;
    if (typeof message.method === 'string') {
      // The only request of hosts is the one to end; nothing is to be saved.
      if (message.id !== undefined) this.post({ id: message.id, result: {} });
      else this.onNotification(message.method, shapeOf(message.params));
      return;
    }
    const waiting = this.waiting.get(message.id as number);
    if (!waiting) return;
    this.waiting.delete(message.id as number);
    if (message.error)
      waiting.reject(new Error(textOf(shapeOf(message.error).message) || 'The request failed.'));
    else waiting.resolve(shapeOf(message.result));
  }
}

export const shapeOf = (value: unknown): Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {};

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
