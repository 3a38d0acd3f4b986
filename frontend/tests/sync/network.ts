/** Sockets between pages and the model server: late, in order, and cut now and then. */
import type { ClientMessage, Frame } from '../../src/protocol/live';
import type { SocketLike } from '../../src/sync/client/connection';
import type { HandClock } from './handClock';
import type { ModelServer, Seat } from './modelServer';

export interface Weather {
  /** Milliseconds that something takes on its way. */
  delay(): number;
  /** Whether there is a way at all. */
  isUp(): boolean;
  /** How much later something comes whose connection is over before it has come; null for never. */
  lateness?(): number | null;
}

export class Line implements SocketLike {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  /** What the page has said. */
  readonly said: ClientMessage[] = [];
  private seat: Seat | null = null;
  private isOver = false;
  private upAt = 0;
  private downAt = 0;

  constructor(
    private readonly server: ModelServer,
    private readonly clock: HandClock,
    private readonly weather: Weather,
    private readonly actor: string,
  ) {
    const answer = () => (weather.isUp() ? this.call('onopen', {}) : this.cut());
    clock.setTimeout(answer, weather.delay());
  }

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    this.said.push(message);
    this.upAt = Math.max(this.upAt, this.clock.now() + this.weather.delay());
    this.clock.setTimeout(() => this.arrive(message), this.upAt - this.clock.now());
  }

  close(): void {
    this.leave();
  }

  /** What the server has said is lost, and what the page has said, unless it is late. */
  cut(code = 1006, reason = ''): void {
    if (this.isOver) return;
    this.leave();
    this.onclose?.({ code, reason } as never);
  }

  /** The server says all that it has to say. */
  flush(): void {
    if (this.seat && !this.isOver) this.server.flush(this.seat);
  }

  private leave(): void {
    this.isOver = true;
    if (this.seat) this.server.seats.delete(this.seat);
  }

  private arrive(message: ClientMessage): void {
    if (this.isOver) {
      this.arriveLate(message);
      return;
    }
    if (message.t === 'hello')
      this.seat = this.server.sit(this.actor, message, {
        send: (frame) => this.deliver(frame),
        close: (code) => this.clock.setTimeout(() => this.cut(code), this.downAt - this.clock.now()),
      });
    else if (this.seat) this.server.take(this.seat, message);
    // Others hear of it with the next frame of theirs.
    this.clock.setTimeout(() => this.flush(), this.weather.delay() / 2);
  }

  /** The server hears of the end of a connection after what was said before it. */
  private arriveLate(message: ClientMessage): void {
    const { seat } = this;
    const late = this.weather.lateness?.() ?? null;
    if (seat && late !== null) this.clock.setTimeout(() => this.server.take(seat, message), late);
  }

  private deliver(frame: Frame): void {
    const text = JSON.stringify(frame);
    this.downAt = Math.max(this.downAt, this.clock.now() + this.weather.delay());
    this.clock.setTimeout(() => this.call('onmessage', { data: text }), this.downAt - this.clock.now());
  }

  private call(name: 'onopen' | 'onmessage', event: unknown): void {
    if (!this.isOver) this[name]?.(event as never);
  }
}
