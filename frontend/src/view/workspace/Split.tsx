/** Document and diagram side by side, with a movable border whose position is stored. */
import type { ReactNode } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { layoutStorage } from '../../sync/preferences';

interface Props {
  document: ReactNode;
  diagram: ReactNode;
}

export function Split({ document, diagram }: Props) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: 'draftsmith.split',
    storage: layoutStorage,
  });
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
