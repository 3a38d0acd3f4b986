/** Others' cursors, selections and drags on the canvas, and following one of them. Inside the canvas. */
export function PeopleLayer() {
  return null;
}
