/** A plugin in the process of a test: what it describes, what it answers, and what it was called for. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const tool = (name: string, readOnly: boolean) => ({
  name,
  type: 'agentic',
  description: 'Of the test.',
  inputSchema: { type: 'object', properties: { chart: { type: 'string' } } },
  readOnly,
});

export class PluginServer {
  /** The tools that were called. */
  readonly called: string[] = [];
  private server: Server | null = null;

  constructor(
    private readonly name: string,
    private readonly tools: readonly ReturnType<typeof tool>[],
    private readonly result: (tool: string) => unknown,
  ) {}

  /** Its address. */
  async open(): Promise<string> {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const piece of request) text += piece;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(await this.answer(JSON.parse(text))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  private async answer({ hook, payload }: { hook: string; payload: { tool: string } }): Promise<object> {
    if (hook === 'describe') return { name: this.name, version: '1.0', tools: this.tools };
    this.called.push(payload.tool);
    return { success: true, result: await this.result(payload.tool), state: {} };
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(null)));
  }
}
