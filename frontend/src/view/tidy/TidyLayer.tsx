/** The commands that lay the diagram out anew, and what is seen while that is worked out. Inside the canvas. */
export function TidyLayer() {
  return null;
}
