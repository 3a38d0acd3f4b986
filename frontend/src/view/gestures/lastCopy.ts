/** The last copy of this page, and how often it was pasted since. */
export const lastCopy = { text: '', times: 0 };
