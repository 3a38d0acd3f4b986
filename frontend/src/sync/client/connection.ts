/**
 * A WebSocket that reconnects with exponential backoff and detects a silent connection. Not here: the messages
 * (`sync/session/session.ts`).
 */
import type { ClientMessage } from '../../protocol/live';
import { Backoff } from '../session/backoff';
import type { Clock } from './clock';

/** The part of a WebSocket that is used. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** Receives the events of the connection. */
export interface ConnectionListener {
  opened(): void;
  handleMessage(text: string): void;
  /** The connection was closed. Returns when to reconnect at the earliest, in milliseconds, or null for never. */
  handleClose(code: number, reason: string): number | null;
}

const FIRST_MS = 300;
const MAX_MS = 10_000;
const OPEN_MS = 10_000;
const ANSWER_MS = 5_000;
// A connection that lived this long resets the backoff.
const GOOD_MS = 5_000;
const ABNORMAL = 1006;

export class Connection {
  private socket: SocketLike | null = null;
  private isOpen = false;
  private isWanted = false;
  private isOpening = false;
  private openedAt = 0;
  private receivedAt = 0;
  private silenceMs = OPEN_MS;
  private pings = 0;
  private pingedAt: number | null = null;
  private timer: unknown;
  private readonly backoff = new Backoff(FIRST_MS, MAX_MS);

  constructor(
    private readonly address: () => Promise<string>,
    private readonly make: (url: string) => SocketLike,
    private readonly clock: Clock,
    private readonly listener: ConnectionListener,
  ) {}

  start(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    this.backoff.reset();
    void this.open();
  }

  stop(): void {
    this.isWanted = false;
    this.clock.clearTimeout(this.timer);
    this.closeSocket();
  }

  /** Checks the connection now: reconnects if it is closed, else sends a ping. */
  check(): void {
    if (!this.isWanted) return;
    if (this.isOpen) {
      this.ping();
    } else if (!this.socket && !this.isOpening) {
      this.backoff.reset();
      void this.open();
    }
  }

  /** When something was heard last, or the connection was opened. */
  get lastReceivedAt(): number {
    return this.receivedAt;
  }

  /** Asks for a sign of life; without one the connection stays open for as long as it would have. */
  ask(): void {
    this.send([{ t: 'ping', n: ++this.pings }]);
  }

  /** Closes this connection and opens another. */
  drop(): void {
    if (this.socket) this.lost(ABNORMAL, '');
  }

  /** How long the server may be silent. */
  allowSilence(ms: number): void {
    this.silenceMs = ms;
    this.watch();
  }

  /** Sends messages. Returns whether they were given to the socket. */
  send(messages: readonly ClientMessage[]): boolean {
    if (!this.socket || !this.isOpen) return false;
    try {
      for (const message of messages) this.socket.send(JSON.stringify(message));
      return true;
    } catch {
      this.lost(ABNORMAL, '');
      return false;
    }
  }

  private async open(): Promise<void> {
    this.isOpening = true;
    this.clock.clearTimeout(this.timer);
    this.timer = this.clock.setTimeout(() => this.lost(ABNORMAL, ''), OPEN_MS);
    let socket: SocketLike;
    try {
      const url = await this.address();
      if (!this.isWanted || !this.isOpening) return;
      socket = this.make(url);
    } catch (error) {
      if (this.isOpening) this.lost(ABNORMAL, error instanceof Error ? error.message : '');
      return;
    }
    this.isOpening = false;
    this.socket = socket;
    const isThis = () => this.socket === socket;
    socket.onopen = () => isThis() && this.opened();
    socket.onmessage = (event: { data: unknown }) => isThis() && this.receive(String(event.data));
    socket.onclose = (event: { code: number; reason: string }) =>
      isThis() && this.lost(event.code, event.reason);
    // `onclose` reports the same.
    socket.onerror = () => undefined;
  }

  private opened(): void {
    this.isOpen = true;
    this.openedAt = this.receivedAt = this.clock.now();
    this.silenceMs = OPEN_MS;
    this.listener.opened();
    this.watch();
  }

  private receive(text: string): void {
    this.receivedAt = this.clock.now();
    this.pingedAt = null;
    this.listener.handleMessage(text);
  }

  private lost(code: number, reason: string): void {
    const now = this.clock.now();
    if (this.isOpen && now - this.openedAt > GOOD_MS) this.backoff.reset();
    this.closeSocket();
    this.clock.clearTimeout(this.timer);
    const soonest = this.listener.handleClose(code, reason);
    if (soonest === null) this.isWanted = false;
    if (soonest === null || !this.isWanted) return;
    const wait = Math.max(
      soonest * (1 + this.clock.random() / 2),
      this.backoff.failed(now, this.clock.random()),
    );
    this.timer = this.clock.setTimeout(() => void this.open(), wait);
  }

  private closeSocket(): void {
    const { socket } = this;
    this.socket = null;
    this.isOpen = this.isOpening = false;
    this.pingedAt = null;
    try {
      socket?.close();
    } catch {
      // It was never open.
    }
  }

  private ping(): void {
    this.pingedAt ??= this.clock.now();
    this.send([{ t: 'ping', n: ++this.pings }]);
    this.watch();
  }

  /** Schedules the next check for silence. */
  private watch(): void {
    this.clock.clearTimeout(this.timer);
    if (!this.isOpen) return;
    const now = this.clock.now();
    const end = Math.min(
      this.receivedAt + this.silenceMs,
      (this.pingedAt ?? Number.POSITIVE_INFINITY) + ANSWER_MS,
    );
    if (now >= end) {
      this.lost(ABNORMAL, 'The server is silent.');
      return;
    }
    const ask = this.receivedAt + this.silenceMs / 2;
    if (this.pingedAt === null && now >= ask) {
      this.ping();
      return;
    }
    const next = this.pingedAt === null ? ask : end;
    this.timer = this.clock.setTimeout(() => this.watch(), next - now);
  }
}
