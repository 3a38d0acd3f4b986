/**
 * The page of which the server makes a PDF: the exported page, but for what takes a browser. Code has no colours there, nodes have icons, maths and
 * Mermaid stand as they are written, and images have addresses under which the server finds them. Pure, without a DOM.
 */
import type { Diagram } from '../../protocol/types';
import { ANCHOR, headingsOf, markdownToHtml } from '../text/markdown';
import { counted } from '../words/kinds';
import { type PageContent, pageOf } from './page';
import { drawingForPicture } from './picture';
import { svgOf } from './svg';

export interface PaperRequest extends Pick<PageContent, 'name' | 'revision' | 'date'> {
  diagram: Diagram;
  text: string;
}

export function paperFor({ name, revision, date, diagram, text }: PaperRequest): string {
  // With colours of its own: variables of a style sheet do not reach into a picture everywhere.
  const picture = svgOf(drawingForPicture(diagram), { theme: 'light', title: name, hasAnchors: true });
  return pageOf({
    name,
    revision,
    date,
    isUnsaved: false,
    picture: picture && { ...picture, svg: picture.svg.replace(GROUND, '') },
    facts: `${counted(diagram.nodes.length, 'node')}, ${counted(diagram.edges.length, 'connection')}`,
    headings: headingsOf(text),
    prose: text.trim() ? addressed(markdownToHtml(text)) : null,
  });
}

/** Paper is white. */
const GROUND = /<rect class="ground"[^<>]*>/;

/** Quotes within texts and values are escaped, so what is found is an attribute. */
const addressed = (html: string): string =>
  html.replaceAll(` ${ANCHOR}="`, ' id="').replaceAll(' data-image="images/', ' src="image:');
