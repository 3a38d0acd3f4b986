/**
 * The print style of a page: what stands where on the sheets of paper, for every browser and for what makes PDF of it. Light
 * whatever the theme; a diagram has a sheet of its own, lying where that is how it is drawn larger. Pure.
 *
 * Page numbers and the running title are margin boxes, which Chromium draws, and others leave out. Which page a line of the
 * contents leads to is said where `target-counter` is known; elsewhere the rule is no rule.
 */
import type { Size } from '../../protocol/types';
import { ALERTS_LIGHT } from './pageStyles';

/** Millimetres. What A4 and Letter both have, less the margins, a line of title and one at the end. */
const UPRIGHT: Size = { width: 178, height: 222 };
const LYING: Size = { width: 247, height: 154 };
const MM = 25.4 / 96;

/** What of a picture's natural size it has on a sheet; never more than all. */
const scaleOn = (sheet: Size, { width, height }: Size): number =>
  Math.min(1, sheet.width / (width * MM), sheet.height / (height * MM));

/** Whether a picture is drawn larger where the sheet lies. */
export const isDrawnWide = (picture: Size): boolean => scaleOn(LYING, picture) > scaleOn(UPRIGHT, picture);

/** `name`: the running title. */
export function printStyles(name: string, picture: Size | null): string {
  return `@page{margin:16mm 16mm 18mm;
@bottom-left{content:${cssText(shortened(name))};${MARGIN_BOX}}
@bottom-right{content:counter(page) " / " counter(pages);${MARGIN_BOX}}}
@page wide{size:landscape}
@media print{
${PRINT}
${picture ? sizeOnPaper(picture) : ''}
}`;
}

const MARGIN_BOX =
  'color:#475467;font:8.5pt/1.2 ui-sans-serif,system-ui,sans-serif;vertical-align:top;padding-top:4mm';

/** Both sides are said, so that it is whole in every browser; on smaller paper it is drawn smaller. */
function sizeOnPaper(picture: Size): string {
  const scale = MM * scaleOn(isDrawnWide(picture) ? LYING : UPRIGHT, picture);
  const [width, height] = [picture.width, picture.height].map((side) => (side * scale).toFixed(2));
  return `.diagram svg{width:${width}mm;height:${height}mm;max-width:100%}`;
}

const LONGEST_TITLE = 80;

function shortened(text: string): string {
  const letters = [...text];
  return letters.length > LONGEST_TITLE ? `${letters.slice(0, LONGEST_TITLE).join('')}…` : text;
}

/** A text as CSS writes it; every sign that could mean something there, or in HTML, by its number. */
const cssText = (text: string): string =>
  `"${text.replace(/[^\p{L}\p{N} ]/gu, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `)}"`;

const PRINT = `:root{color-scheme:light;--canvas:#fff;--accent:#4338ca;--accent-soft:#eef0ff;--on-accent:#fff;--sunken:#f2f4f7;${ALERTS_LIGHT}}
html,body{height:auto;overflow:visible}
body{background:#fff;font-size:10.5pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.head,.foot{padding:0;border:0}
.head{margin:0 0 4mm}
.head p{font-size:15pt;font-weight:700}
.foot{padding-top:6mm;font-size:8.5pt}
.size{display:none}
main{display:block}
.contents{display:block;break-after:page}
.contents p{margin:6mm 0 2mm;font-size:12pt;font-weight:700}
.contents ol{margin:0;padding:0;list-style:none}
.contents li{margin:1mm 0;break-inside:avoid}
.contents .level-1{font-weight:600}
.contents .level-2{padding-inline-start:6mm}
.contents .level-3{padding-inline-start:12mm}
.contents a{color:inherit;text-decoration:none}
.contents a::after{content:leader(".") " " target-counter(attr(href),page);font-weight:400}
.diagram{display:block;overflow:visible;padding:0;border:0;background:none;break-inside:avoid}
.diagram:not(:last-child){break-after:page}
.wide{page:wide}
.diagram svg{display:block;margin:0 auto}
.prose{max-width:none;padding:0}
.prose h1{font-size:18pt}
.prose h2{font-size:14pt}
.prose h3{font-size:12pt}
.prose :is(h4,h5,h6){font-size:10.5pt}
.prose :is(h1,h2,h3,h4,h5,h6),.prose summary{break-after:avoid;break-inside:avoid}
.prose :is(p,li){orphans:3;widows:3}
.prose :is(pre,blockquote,.alert,.table-frame,.maths-block,.mermaid-block,thead,tr,img,svg,dt){break-inside:avoid}
.prose pre{overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere}
.prose pre code{font-size:9pt}
.prose table{font-size:9.5pt}
.prose :is(th,td){overflow-wrap:anywhere}
.table-frame,.prose .maths-block{overflow:visible}
.prose img,.mermaid-block img{max-height:225mm;object-fit:contain}
.prose a{color:inherit}
.prose a.node-link{padding:0;background:none}
details::details-content{content-visibility:visible;block-size:auto}`;
