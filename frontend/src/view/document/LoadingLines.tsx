/** The placeholder of editor and preview until they are loaded. */
export function LoadingLines() {
  return (
    <div className="document-loading" aria-hidden="true">
      {[52, 100, 94, 98, 60].map((width) => (
        <span key={width} className="skeleton line" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
