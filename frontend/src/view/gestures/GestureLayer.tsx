/** What gestures put over the canvas: menus, the picker of a node to add, and their commands. Inside the canvas. */
export function GestureLayer() {
  return null;
}
