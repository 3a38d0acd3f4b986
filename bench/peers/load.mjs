// Typists on one text of a y-websocket server, in a process of its own; as `bench/cotyping_load.py` for ours.
// JSON on standard input; prints `start` and `stop` around what is measured, then figures as JSON. What others typed
// is counted and not applied: everybody inserts behind what they have typed, and the load is to cost little.
import { createRequire } from 'node:module';

// As the server loads them: Yjs is CommonJS there, and only one copy of it may be loaded.
const require = createRequire(import.meta.url);
const WebSocket = require('ws');
const Y = require('yjs');
const sync = require('y-protocols/sync');
const awareness = require('y-protocols/awareness');
const encoding = require('lib0/encoding');
const decoding = require('lib0/decoding');

const SYNC = 0;
const AWARENESS = 1;
const WARM_UP_MS = 2000;
const DRAIN_MS = 500;
const given = JSON.parse(await new Promise((resolve) => process.stdin.once('data', (data) => resolve(String(data)))));

const sentAt = new Map();
const waits = [];
let isMeasured = false;
let delivered = 0;
let keys = 0;

const framed = (kind, write) => {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, kind);
  write(encoder);
  return encoding.toUint8Array(encoder);
};

class Typist {
  constructor(number) {
    this.number = number;
    this.doc = new Y.Doc();
    this.text = this.doc.getText('document');
    this.awareness = new awareness.Awareness(this.doc);
    this.typed = 0;
    this.socket = new WebSocket(`ws://127.0.0.1:${given.port}/${given.doc}`, { perMessageDeflate: false });
    this.ready = new Promise((resolve) => {
      this.synced = resolve;
    });
    this.socket.on('open', () => this.send(SYNC, (encoder) => sync.writeSyncStep1(encoder, this.doc)));
    this.socket.on('message', (data) => this.receive(data));
    this.doc.on('update', (update, origin) => {
      if (origin === this.socket) return;
      if (this.typed) sentAt.set(Buffer.from(update).toString('latin1'), [this, performance.now()]);
      this.send(SYNC, (encoder) => sync.writeUpdate(encoder, update));
    });
  }

  send(kind, write) {
    this.socket.send(framed(kind, write));
  }

  receive(data) {
    const decoder = decoding.createDecoder(new Uint8Array(data));
    if (decoding.readVarUint(decoder) !== SYNC) return;
    const kind = decoding.readVarUint(decoder);
    if (kind === sync.messageYjsSyncStep1)
      this.send(SYNC, (encoder) => sync.writeSyncStep2(encoder, this.doc, decoding.readVarUint8Array(decoder)));
    else if (kind === sync.messageYjsSyncStep2) {
      Y.applyUpdate(this.doc, decoding.readVarUint8Array(decoder), this.socket);
      this.synced();
    } else if (isMeasured) this.note(decoding.readVarUint8Array(decoder));
  }

  note(update) {
    const sent = sentAt.get(Buffer.from(update).toString('latin1'));
    if (!sent || sent[0] === this) return;
    delivered++;
    if (this.number < given.timed) waits.push(performance.now() - sent[1]);
  }

  begin(at) {
    this.at = at;
  }

  type() {
    const words = given.words;
    this.typed++;
    if (isMeasured) keys++;
    this.text.insert(this.at++, words[this.typed % words.length]);
    if (!given.carets) return;
    const place = Y.createRelativePositionFromTypeIndex(this.text, this.at);
    this.awareness.setLocalState({ user: { name: `P${this.number}` }, cursor: { anchor: place, head: place } });
    const update = awareness.encodeAwarenessUpdate(this.awareness, [this.doc.clientID]);
    this.send(AWARENESS, (encoder) => encoding.writeVarUint8Array(encoder, update));
  }
}

const typists = [];
for (let number = 0; number < given.clients; number++) {
  const typist = new Typist(number);
  await typist.ready;
  if (number === 0) typist.text.insert(0, given.text);
  typists.push(typist);
}
await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
given.places.forEach((place, number) => typists[number].begin(place));
const every = 1000 / given.rate;
const began = performance.now();
const nextAt = typists.map((_, number) => began + (number * every) / given.clients);
const timer = setInterval(() => {
  const now = performance.now();
  typists.forEach((typist, number) => {
    while (nextAt[number] <= now) {
      typist.type();
      nextAt[number] += every;
    }
  });
}, 2);
const received = () => typists.reduce((sum, { socket }) => sum + socket._socket.bytesRead, 0);
await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
const before = received();
isMeasured = true;
console.log('start');
await new Promise((resolve) => setTimeout(resolve, given.seconds * 1000));
isMeasured = false;
const bytes = received() - before;
console.log('stop');
clearInterval(timer);
waits.sort((a, b) => a - b);
const at = (share) => waits[Math.floor(waits.length * share)] ?? Number.NaN;
console.log(JSON.stringify({ keys, delivered, bytes, server_p50_ms: at(0.5), server_p99_ms: at(0.99), key_p50_ms: at(0.5) }));
process.exit(0);
