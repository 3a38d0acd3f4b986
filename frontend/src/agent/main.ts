/**
 * The page of a workspace that programs of agents show beside the answers of tools (MCP Apps): its diagram, drawn as in
 * the editor, and the proposals that wait, with what one may do about them. Not here: the host (`host.ts`), what is
 * asked (`workspace.ts`).
 */
import type { PictureImages } from '../model/export/nodeImages';
import { paletteStyles, type Theme } from '../model/export/palette';
import { drawingForPicture } from '../model/export/picture';
import { svgOf } from '../model/export/svg';
import { Host, type Shape, shapeOf, textOf } from './host';
import {
  answerOf,
  decide,
  type Proposal,
  readImages,
  readProposals,
  readWorkspace,
  type WorkspaceContent,
  whyOf,
} from './workspace';

const VERSION = '1';
const themes = { light: paletteStyles('light'), dark: paletteStyles('dark') };

let theme: Theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
let workspace = '';
let link = '';
let workspaceContent: WorkspaceContent | null = null;
let proposals: Proposal[] = [];
let images: PictureImages = {};
let message = '';
let isBusy = false;

const host = new Host(window, (method, params) => {
  if (method === 'ui/notifications/tool-result') void take(params);
  else if (method === 'ui/notifications/host-context-changed') follow(params);
});

function follow(context: Shape): void {
  if (context.theme !== 'light' && context.theme !== 'dark') return;
  theme = context.theme;
  render();
}

/** The answer of the tool beside which the page is shown says which workspace it is. */
async function take(result: Shape): Promise<void> {
  const data = answerOf(result);
  if (result.isError === true || !textOf(data.workspace)) {
    message = result.isError === true ? whyOf(result) : 'Nothing was changed.';
    return render();
  }
  workspace = textOf(data.workspace);
  link = textOf(data.link) || link;
  await busy(load);
}

async function load(): Promise<void> {
  [workspaceContent, proposals] = await Promise.all([
    readWorkspace(host, workspace),
    readProposals(host, workspace),
  ]);
  link ||= (proposals[0]?.link ?? '').split('#')[0] ?? '';
  void loadImages();
}

/** Not waited for: a program that passes no resources on never answers, and shows the icons of types. */
async function loadImages(): Promise<void> {
  const read = await readImages(host, workspace).catch(() => images);
  if (JSON.stringify(read) === JSON.stringify(images)) return;
  images = read;
  render();
}

/** Runs something with the buttons off; what it fails with is shown. */
async function busy(work: () => Promise<void>): Promise<void> {
  isBusy = true;
  render();
  try {
    await work();
  } catch (error) {
    message = error instanceof Error ? error.message : String(error);
  }
  isBusy = false;
  render();
}

const act = (proposal: Proposal, action: 'accept' | 'withdraw') =>
  void busy(async () => {
    message = await decide(host, workspace, proposal.id, action);
    await load();
  });

const openLink = (url: string) =>
  void host.ask('ui/open-link', { url }).catch(() => {
    message = `This program opens no links. The address: ${url}`;
    render();
  });

/** The host gives the page as much room as it takes, also after its own width has changed. */
const watchSize = () =>
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    host.tell('ui/notifications/size-changed', { height });
  }).observe(document.body);

function render(): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.cssText = themes[theme];
  const main = el('main', '', ...parts());
  main.setAttribute('aria-busy', String(isBusy));
  document.body.replaceChildren(main);
}

function parts(): HTMLElement[] {
  const open = link ? [button('Open in Draftsmith', 'plain', () => openLink(link))] : [];
  const about = workspaceContent ? [el('span', 'about', `revision ${workspaceContent.revision}`)] : [];
  const title = el('h1', '', workspaceContent?.name || 'Draftsmith');
  const statusLine = el('p', 'message', message);
  statusLine.setAttribute('role', 'status');
  const waiting =
    proposals.length > 0 ? [el('h2', '', titleOf(proposals.length)), ...proposals.map(cardOf)] : [];
  return [el('header', '', title, ...about, ...open), drawn(), statusLine, ...waiting];
}

const titleOf = (count: number): string => (count === 1 ? 'One proposal waits' : `${count} proposals wait`);

function drawn(): HTMLElement {
  if (!workspaceContent) return el('p', 'empty', isBusy || !message ? 'Reading the workspace …' : '');
  const drawing = drawingForPicture(workspaceContent.diagram);
  const found = svgOf(drawing, { theme, title: workspaceContent.name, ...images });
  if (!found) return el('p', 'empty', 'The diagram is empty.');
  const frame = el('div', 'picture', picture(found.svg));
  frame.tabIndex = 0;
  return frame;
}

function cardOf(proposal: Proposal): HTMLElement {
  const { isOurs, link: address } = proposal;
  const review = address
    ? [button('Review in Draftsmith', isOurs ? 'main' : 'plain', () => openLink(address))]
    : [];
  // What an agent proposes waits for a person, who accepts it in the editor; the server sees to that.
  const accept = button('Accept', 'main', () => act(proposal, 'accept'));
  accept.disabled = isBusy || !proposal.fits;
  const withdraw = button('Withdraw', 'plain', () => act(proposal, 'withdraw'));
  withdraw.disabled = isBusy;
  const card = el(
    'section',
    'card',
    el('p', 'by', proposal.by),
    el('p', 'why', proposal.explanation || proposal.reason || 'A proposal'),
    el('ul', '', ...proposal.what.map((what) => el('li', '', what))),
    ...proposal.conflicts.map((clash) => el('p', 'clash', clash)),
    el('div', 'buttons', ...(isOurs ? [...review, withdraw] : [accept, ...review])),
  );
  card.setAttribute('aria-label', `Proposal of ${proposal.by}`);
  return card;
}

render();
host
  .begin(VERSION)
  .then((answer) => {
    follow(shapeOf(answer.hostContext));
    watchSize();
  })
  .catch((error: unknown) => {
    message = `The program that shows this page does not answer: ${String(error)}`;
    render();
  });

/** Elements of the page; texts become text nodes, never markup. */

function el(name: string, classes = '', ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  if (classes) element.className = classes;
  element.append(...children);
  return element;
}

function button(label: string, classes: string, act: () => void): HTMLButtonElement {
  const element = el('button', classes, label) as HTMLButtonElement;
  element.type = 'button';
  element.addEventListener('click', act);
  return element;
}

/** A picture of ours as an element. Parsed as XML: what is no well-formed picture is not shown. */
function picture(svg: string): Element {
  return document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true);
}
