/** How long a state may take to come about, on however busy a machine: only a hang takes longer. The one such limit. */
export const TIMEOUT_MS = 150_000;
