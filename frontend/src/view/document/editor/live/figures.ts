/**
 * Mermaid diagrams and blocks of maths in their place in live preview; source where the caret is in them. Not here: maths
 * within lines, and how maths is drawn (`maths.ts`).
 */
import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import { mathsAt } from '../../../../model/text/syntax/mathsInLine';
import { recallTheme, subscribeToPreferences } from '../../../../sync/preferences';
import { type BlockKind, blockKinds } from './blocks';

const OPENING = /^ {0,3}(`{3,}|~{3,})[ \t]*(mermaid|math)\b/i;

/** Estimated; drawings differ. */
const HEIGHTS = { mermaid: 260, math: 70 };

type Language = keyof typeof HEIGHTS;

const figures: BlockKind = {
  node: 'FencedCode',
  widgetOf(source, before) {
    const lines = source.split('\n');
    const [, fence, language] = OPENING.exec(lines[0] ?? '') ?? [];
    const isClosed = fence !== undefined && lines.length > 2 && lines.at(-1)?.trim().startsWith(fence);
    if (!isClosed || !language) return null;
    const figure = new Figure(language.toLowerCase() as Language, lines.slice(1, -1).join('\n'));
    return before?.eq(figure) ? before : figure;
  },
};

/** A paragraph that is `$$…$$` and nothing else. */
const formulas: BlockKind = {
  node: 'Paragraph',
  widgetOf(source, before) {
    const text = source.trim();
    const maths = text.startsWith('$$') ? mathsAt(text, 0, {}) : null;
    if (!maths || maths.to < text.length) return null;
    const figure = new Figure('math', maths.tex);
    return before?.eq(figure) ? before : figure;
  },
};

class Figure extends WidgetType {
  constructor(
    private readonly language: Language,
    private readonly code: string,
  ) {
    super();
  }

  override eq(other: WidgetType): boolean {
    return other instanceof Figure && other.language === this.language && other.code === this.code;
  }

  override get estimatedHeight(): number {
    return HEIGHTS[this.language];
  }

  override toDOM(view: EditorView): HTMLElement {
    const place = document.createElement('div');
    place.className = 'live-figure';
    const block = place.appendChild(document.createElement('div'));
    block.className = this.language === 'math' ? 'maths maths-block' : 'mermaid-block';
    const code = document.createElement('code');
    code.textContent = this.code;
    block.appendChild(document.createElement('pre')).append(code);
    // What is below moves when it is drawn.
    new ResizeObserver(() => view.requestMeasure()).observe(place);
    // Without a connection the source stays.
    if (this.language === 'mermaid') void drawDiagrams(place).catch(() => undefined);
    return place;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const SYSTEM = '(prefers-color-scheme: dark)';

async function drawDiagrams(within: Element): Promise<void> {
  const { drawBlocks } = await import('../../mermaidBlocks');
  const theme = recallTheme();
  drawBlocks(within, theme === 'system' ? matchMedia(SYSTEM).matches : theme === 'dark');
}

/** Draws diagrams anew where the theme changes. */
class Themed {
  private readonly leave: () => void;
  private readonly system = matchMedia(SYSTEM);

  constructor(private readonly view: EditorView) {
    this.leave = subscribeToPreferences(this.draw);
    this.system.addEventListener('change', this.draw);
  }

  destroy(): void {
    this.leave();
    this.system.removeEventListener('change', this.draw);
  }

  private readonly draw = (): void => {
    const { contentDOM } = this.view;
    if (contentDOM.querySelector('.mermaid-block')) void drawDiagrams(contentDOM).catch(() => undefined);
  };
}

export const figureLook = (): Extension => [
  blockKinds.of(figures),
  blockKinds.of(formulas),
  ViewPlugin.fromClass(Themed),
];
