/** Whether the page stands in a frame of another page (`?embed=1`): the workspace to look at, without what is around it. */
export const IS_EMBEDDED = new URLSearchParams(window.location.search).get('embed') === '1';
