/** The path below which a proxy serves this server; empty for none. The server writes it into its pages. */
export const ROOT_PATH =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="root"]')?.content ?? '';
