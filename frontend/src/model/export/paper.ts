/**
 * The page of which the server makes a PDF: the exported page, but for what takes a browser. Code has no colours there, maths and
 * Mermaid stand as they are written, and images of the document have addresses under which the server finds them. Pure, without
 * a DOM.
 */
import type { Diagram } from '../../protocol/types';
import { withTypes } from '../core/withTypes';
import { ANCHOR, headingsOf, markdownToHtml } from '../text/markdown';
import { counted } from '../words/kinds';
import type { PictureImages } from './nodeImages';
import { type PageContent, pageOf } from './page';
import { drawingForPicture } from './picture';
import { svgOf } from './svg';

/** With images of nodes and icons of technologies as far as they are there and have room. */
export interface PaperRequest extends Pick<PageContent, 'name' | 'revision' | 'date'>, PictureImages {
  diagram: Diagram;
  text: string;
}

export function paperFor(request: PaperRequest): string {
  const { name, revision, date, text, images, icons } = request;
  const diagram = withTypes(request.diagram);
  // With colours of its own: variables of a style sheet do not reach into a picture everywhere.
  const shown = { theme: 'light', title: name, hasAnchors: true, images, icons } as const;
  const picture = svgOf(drawingForPicture(diagram), shown);
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
