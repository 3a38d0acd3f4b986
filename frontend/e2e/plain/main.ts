/**
 * A plain page over the client library, without a framework, for browser tests of the live protocol (`plainPage.ts`).
 *
 * It shows all that the client knows of a workspace, as text and lists, and offers all that the client can do.
 * Not here: anything that is meant to look well.
 */
import '../../src/view/styles/tokens.css';
import './plain.css';
import { LiveClient, type ViewChange } from '../../src/sync/client/client';
import { applyTheme, recallTheme } from '../../src/sync/preferences';
import { assistantPart } from './assistant';
import { barPart } from './bar';
import { PageContext, type Part } from './context';
import { edgesPart, nodesPart } from './diagram';
import { element } from './dom';
import { pastPart } from './past';
import { peoplePart } from './people';
import { trayPart } from './tray';
import { writingPart } from './writing';

applyTheme(recallTheme());

const workspace = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const client = new LiveClient({ workspace });
const context = new PageContext(client);
const parts: Part[] = [
  barPart(context),
  writingPart(context),
  nodesPart(context),
  edgesPart(context),
  peoplePart(context),
  pastPart(context),
  trayPart(context),
  assistantPart(context),
];

const show = (change: ViewChange | null): void => {
  for (const part of parts) part.show(change);
};

const [bar, ...rest] = parts.map((part) => part.element);
document.getElementById('root')?.append(bar as HTMLElement, element('main', {}, ...rest));
client.subscribe(show);
show(null);
// The address `/` names no workspace.
if (workspace) client.start();
