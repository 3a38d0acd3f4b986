/** The panel in which one asks the assistant, and sees what came of it. */
export function AssistantPanel() {
  return <div className="assistant-panel" />;
}
