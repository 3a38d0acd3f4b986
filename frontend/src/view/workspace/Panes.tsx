/** Document and diagram: one of them, or both with a border that can be moved. */
import type { ReactNode } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { ViewMode } from '../../sync/preferences';

interface Props {
  mode: ViewMode;
  document: ReactNode;
  diagram: ReactNode;
}

export function Panes({ mode, document, diagram }: Props) {
  return (
    <main className={`panes ${mode}`}>
      {mode === 'split' ? (
        <Split document={document} diagram={diagram} />
      ) : mode === 'document' ? (
        document
      ) : (
        diagram
      )}
    </main>
  );
}

function Split({ document, diagram }: Omit<Props, 'mode'>) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id: 'draftsmith.split' });
  return (
    <Group
      orientation="horizontal"
      id="split"
      className="split-panes"
      {...(defaultLayout && { defaultLayout })}
      onLayoutChanged={onLayoutChanged}
    >
      <Panel id="document-side" defaultSize="45%" minSize="280px">
        {document}
      </Panel>
      <Separator className="pane-border" aria-label="Width of the document" />
      <Panel id="diagram-side" minSize="320px">
        {diagram}
      </Panel>
    </Group>
  );
}
