/**
 * What the first statement of a chart of Mermaid begins with that the server reads. Flowcharts are drawn where they are pasted; all
 * of them are imported.
 */
export const CHART =
  /^(?:(?:flowchart|graph)(?:-elk|-v2)?|C4(?:Context|Container|Component|Dynamic|Deployment)|architecture(?:-beta)?|(?:class|state)Diagram(?:-v2)?|erDiagram|sequenceDiagram)(?:[\s;:]|$)/;
