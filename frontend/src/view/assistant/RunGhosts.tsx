/** Shows the prepared operations of one's own running request as ghosts. */
import { useEffect, useRef } from 'react';
import { isRunning } from '../../model/assistant/turns';
import { useEditorContext } from '../context/EditorContext';
import { useAssistantPart } from './useAssistant';

export function RunGhosts() {
  const { ui } = useEditorContext();
  const turn = useAssistantPart(({ turns }) =>
    turns.findLast((one) => one.isMine && isRunning(one) && (one.progress?.operations.length ?? 0) > 0),
  );
  const run = turn?.run ?? null;
  const operations = turn?.progress?.operations;
  const document = turn?.progress?.document;
  const brought = useRef<string | null>(null);
  useEffect(() => {
    if (run === null || !operations || !document) return;
    const isFirst = brought.current !== run;
    brought.current = run;
    ui.showGhosts(
      {
        of: run,
        title: `The assistant is preparing (${operations.length})`,
        steps: operations.flatMap(({ steps }) => steps),
        document,
      },
      { isInView: isFirst },
    );
  }, [ui, run, operations, document]);
  useEffect(() => {
    if (run === null) return;
    return () => ui.hideGhosts(run);
  }, [ui, run]);
  return null;
}
