/** The placeholder of an empty document, for editors. */
import { FileText, LayoutList, PencilLine } from 'lucide-react';
import { skeletonOf } from '../../model/text/skeleton';
import { useEditorContext, useLive } from '../context/EditorContext';
import { Notice } from '../ui/Notice';

export function EmptyDocument({ onWrite }: { onWrite: () => void }) {
  const { edit } = useEditorContext();
  const name = useLive((live) => live.name);
  const nodes = useLive((live) => live.diagram.nodes);
  const begin = () => {
    const text = skeletonOf(name, nodes);
    void edit([{ op: 'replace_document', text }], 'Begin the document with a skeleton');
  };
  return (
    <div className="document-empty">
      <Notice
        icon={FileText}
        title="Write what the diagram does not say"
        advice="Goals, what each component is responsible for, decisions and why they were made."
      >
        <button type="button" className="button primary" onClick={begin}>
          <LayoutList size={16} strokeWidth={1.9} aria-hidden="true" />
          Start with a skeleton
        </button>
        <button type="button" className="button" onClick={onWrite}>
          <PencilLine size={16} strokeWidth={1.9} aria-hidden="true" />
          Just write
        </button>
      </Notice>
    </div>
  );
}
