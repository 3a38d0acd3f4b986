/**
 * A plain page over the client library, without a framework: for trying the live protocol by hand and in tests.
 *
 * It shows all that the client knows of a workspace, as text and lists, and offers all that the client can do.
 * Not here: anything that is meant to look well.
 */
import '../view/styles/tokens.css';
import './plain.css';
import { LiveClient, type ViewChange } from '../sync/client/client';
import { applyTheme, recallTheme } from '../sync/preferences';
import { assistantPart } from './assistant';
import { barPart } from './bar';
import { Desk, type Part } from './desk';
import { edgesPart, nodesPart } from './diagram';
import { element } from './dom';
import { pastPart } from './past';
import { peoplePart } from './people';
import { trayPart } from './tray';
import { writingPart } from './writing';

applyTheme(recallTheme());

const workspace = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const client = new LiveClient({ workspace });
const desk = new Desk(client);
const parts: Part[] = [
  barPart(desk),
  writingPart(desk),
  nodesPart(desk),
  edgesPart(desk),
  peoplePart(desk),
  pastPart(desk),
  trayPart(desk),
  assistantPart(desk),
];

const show = (change: ViewChange | null): void => {
  for (const part of parts) part.show(change);
};

const [bar, ...rest] = parts.map((part) => part.element);
document.getElementById('root')?.append(bar as HTMLElement, element('main', {}, ...rest));
client.subscribe(show);
show(null);
client.start();
