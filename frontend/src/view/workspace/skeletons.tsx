/** Placeholders of the panes until the state is loaded. */

const LINES = [52, 100, 94, 98, 60, 38, 96, 100, 72];

export function DocumentSkeleton() {
  return (
    <section className="document-pane" id="document" aria-label="Document" aria-busy="true" tabIndex={-1}>
      <div className="document-loading" aria-hidden="true">
        {LINES.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <span key={index} className="skeleton line" style={{ width: `${width}%` }} />
        ))}
      </div>
    </section>
  );
}

export function DiagramSkeleton() {
  return (
    <section
      className="diagram-pane dotted"
      id="diagram"
      aria-label="Diagram"
      aria-busy="true"
      tabIndex={-1}
    />
  );
}
