/** A wire between one person's browser and the server, which a test can cut, mend, or make deaf in one direction. */
import net from 'node:net';

export class Wire {
  private readonly ends = new Set<net.Socket>();
  private isCut = false;
  private isDeaf = false;

  private constructor(
    private readonly listener: net.Server,
    /** What the browser takes for the server. */
    readonly url: string,
  ) {}

  /** Lay a wire to the server at `url`. */
  static async to(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const listener = net.createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const wire = new Wire(listener, `http://127.0.0.1:${(listener.address() as net.AddressInfo).port}`);
    listener.on('connection', (browser) => wire.connect(browser, Number(port), hostname));
    return wire;
  }

  /** End every connection, and take no new one. */
  cut(): void {
    this.isCut = true;
    for (const end of this.ends) end.destroy();
  }

  /** From now on, what the browser says arrives and nothing comes back. */
  deafen(): void {
    this.isDeaf = true;
  }

  /** Let everything through again; connections that were deaf have missed something and are ended. */
  mend(): void {
    if (this.isDeaf) this.cut();
    this.isCut = false;
    this.isDeaf = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private connect(browser: net.Socket, port: number, host: string): void {
    if (this.isCut) {
      browser.destroy();
      return;
    }
    const server = net.connect(port, host);
    browser.pipe(server);
    server.on('data', (bytes) => this.isDeaf || browser.write(bytes));
    for (const [end, other] of [
      [browser, server],
      [server, browser],
    ] as const) {
      this.ends.add(end);
      end.on('error', () => end.destroy()); // a wire tells of a lost end by ending the other
      end.on('close', () => {
        this.ends.delete(end);
        other.destroy();
      });
    }
  }
}
