/**
 * The style sheet of an exported page on a screen: the document as in the read view of the editor, the diagram beside or
 * above it, no wider than the window. Not here: paper (`printStyles.ts`).
 */

/** Colours of marked words and alerts, as in `styles/document.css`. */
export const ALERTS_LIGHT =
  '--mark:#fff3b0;--alert-note:#1d4ed8;--alert-tip:#15803d;--alert-important:#7c3aed;--alert-warning:#93460b;--alert-caution:#b42318';
const ALERTS_DARK =
  '--mark:#57470f;--alert-note:#93b8ff;--alert-tip:#4ade80;--alert-important:#c4a5ff;--alert-warning:#fcd34d;--alert-caution:#fda29b';

const FRAME = `
:root{color-scheme:light dark;--accent:#4f46e5;--accent-soft:#eef0ff;--on-accent:#fff;--sunken:#f2f4f7;${ALERTS_LIGHT};--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--accent:#818cf8;--accent-soft:#22254a;--on-accent:#0e1030;--sunken:#1b2028;${ALERTS_DARK}}}
*,*::before,*::after{box-sizing:border-box}
html{scroll-padding-top:24px}
body{margin:0;background:var(--surface);color:var(--text);font:15px/1.65 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;overflow-wrap:break-word}
.head,.foot{padding:14px 32px;color:var(--text-2);font-size:13px}
.head{border-bottom:1px solid var(--line)}
.head p{margin:0;color:var(--text);font-weight:650}
.foot{border-top:1px solid var(--line);color:var(--text-3)}
main{display:grid;grid-template-columns:minmax(0,1fr)}
.contents{display:none}
.diagram{display:grid;grid-template-columns:minmax(0,1fr);align-content:safe center;justify-items:safe center;overflow:auto;padding:24px;background:var(--canvas);border-bottom:1px solid var(--line)}
.diagram svg{display:block;max-width:100%;height:auto}
.size{position:sticky;left:0;display:inline-flex;align-items:center;justify-self:start;gap:8px;min-height:24px;margin-bottom:12px;color:var(--text-2);font-size:13px}
.size input{width:16px;height:16px;margin:0;accent-color:var(--accent)}
@media screen{.diagram:has(.size :checked) svg{max-width:none}}
.diagram .ground{fill:none}
.diagram :target>.box{stroke:var(--accent);stroke-width:4}
.diagram g:target{outline:none}
:is(.diagram,.prose):focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
@media screen and (min-width:1100px){
body:has(main.beside){display:grid;grid-template-rows:auto minmax(0,1fr) auto;height:100vh}
main.beside{grid-template-columns:minmax(0,1fr) minmax(0,1fr);grid-template-rows:minmax(0,1fr)}
main.beside>*{overflow:auto}
main.beside .prose{max-width:none;padding-inline:max(40px,calc((100% - 760px)/2))}
main.beside .diagram{order:2;border-bottom:0;border-left:1px solid var(--line)}
}`;

const PROSE = `
.prose{width:100%;max-width:820px;margin:0 auto;padding:36px 40px 72px}
.prose>:first-child{margin-top:0}
.prose :is(h1,h2,h3,h4,h5,h6){margin:1.6em 0 .5em;line-height:1.3;font-weight:680;letter-spacing:-.01em;text-wrap:balance}
.prose h1{font-size:26px}
.prose h2{margin-top:1.9em;padding-bottom:.3em;border-bottom:1px solid var(--line);font-size:19px}
.prose h3{font-size:16px}
.prose :is(h4,h5,h6){font-size:15px}
.prose :is(p,ul,ol,pre,blockquote,.table-frame){margin:.8em 0}
.prose :is(ul,ol){padding-left:0;padding-inline-start:1.5em}
.prose li{margin:.25em 0}
.prose li::marker{color:var(--text-3)}
.prose li>:is(ul,ol){margin:.25em 0}
.prose li.task{list-style:none}
.task-box{position:relative;display:inline-block;width:15px;height:15px;margin:0 8px 0 -23px;border:1.5px solid var(--text-3);border-radius:4px;vertical-align:-2px}
.task-box.done{border-color:var(--accent);background:var(--accent)}
.task-box.done::after{content:"";position:absolute;top:1px;left:4px;width:4px;height:8px;border:solid var(--on-accent);border-width:0 2px 2px 0;rotate:42deg}
.prose code{padding:.15em .38em;border-radius:5px;background:var(--sunken);font:.87em/1.5 var(--mono)}
.prose pre{overflow:auto;padding:14px 16px;border:1px solid var(--line);border-radius:10px;background:var(--canvas)}
.prose pre code{padding:0;background:none;font-size:13px}
.code-keyword{color:light-dark(#7a2e9e,#d3a6f0)}
.code-string{color:light-dark(#0b6b3a,#7ee2a8)}
.code-number{color:light-dark(#93460b,#fcb26b)}
.code-comment{color:light-dark(#5f6b7e,#929cae)}
.code-function{color:light-dark(#1d4ed8,#93b8ff)}
.code-type{color:light-dark(#0e6680,#6fd3e6)}
.code-property{color:light-dark(#3b4a8f,#b9c4ff)}
.code-tag{color:light-dark(#a3240f,#fda29b)}
.code-inserted{color:light-dark(#0b6b3a,#7ee2a8)}
.code-deleted{color:light-dark(#a3240f,#fda29b)}
.prose blockquote{padding:.1em 0;padding-inline-start:16px;border-inline-start:3px solid var(--line-strong);color:var(--text-2)}
.prose hr{margin:2em 0;border:0;border-top:1px solid var(--line)}
.table-frame{overflow-x:auto;border:1px solid var(--line);border-radius:10px}
.prose table{width:100%;border-collapse:collapse;font-size:13.5px;line-height:1.5}
.prose :is(th,td){padding:8px 12px;text-align:start;vertical-align:top}
.prose th{background:var(--sunken);color:var(--text-2);font-weight:600}
.prose thead:not(:has(th:not(:empty))){display:none}
.prose tbody tr{border-top:1px solid var(--line)}
.prose .front-matter{font-size:12.5px}
.prose .front-matter td{white-space:pre-line}
.prose details{margin:.8em 0}
.prose summary{cursor:pointer;font-weight:550}
.prose kbd{padding:.1em .4em;border:1px solid var(--line-strong);border-bottom-width:2px;border-radius:5px;background:var(--sunken);font:.82em/1.4 var(--mono)}
.prose :is(sub,sup){font-size:.75em;line-height:0}
.prose mark{padding:0 .15em;border-radius:3px;background:var(--mark);color:inherit}
.prose .leads-nowhere{border-bottom:1px dotted var(--text-3);cursor:help}
.prose .maths-block{display:block;margin:.8em 0;overflow-x:auto;overflow-y:hidden}
.prose .footnote-ref{margin-left:1px}
.prose .footnotes{margin-top:3em;padding-top:.6em;border-top:1px solid var(--line);color:var(--text-2);font-size:13.5px}
.prose .footnotes li>p:nth-last-child(2){display:inline}
.prose .footnote-back{margin-left:.4em}
.prose .alert{--alert:var(--alert-note);margin:.9em 0;padding:.1em 0;padding-inline-start:16px;border-inline-start:3px solid var(--alert)}
.prose .alert-title{margin:.4em 0;color:var(--alert);font-weight:650}
.prose .alert-tip{--alert:var(--alert-tip)}
.prose .alert-important{--alert:var(--alert-important)}
.prose .alert-warning{--alert:var(--alert-warning)}
.prose .alert-caution{--alert:var(--alert-caution)}
.prose .align-right{text-align:right}
.prose .align-center{text-align:center}
.prose a{color:var(--accent);text-underline-offset:3px}
.prose a.node-link{padding:.08em .34em;border-radius:5px;background:var(--accent-soft);font-weight:550;text-decoration:none}
.prose a.node-link:hover{text-decoration:underline}
.prose .missing{color:var(--text-2);text-decoration:underline wavy}
.prose .image-placeholder{display:inline-flex;flex-wrap:wrap;align-items:baseline;gap:4px 10px;padding:10px 14px;border:1px dashed var(--line-strong);border-radius:8px;background:var(--canvas);color:var(--text-2);text-decoration:none}
.image-host{color:var(--text-3);font-size:12px}
.mermaid-block{margin:1em 0}
.prose img{max-width:100%;height:auto;vertical-align:bottom}
.mermaid-block img{display:block;max-width:100%;height:auto;margin:0 auto}`;

export const PAGE_STYLES = [FRAME, PROSE].join('\n').trim();
