/** The version of the server, which it writes into the page; empty under a development server. */
export function serverVersion(): string {
  const written = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content ?? '';
  return /^\d/.test(written) ? written : '';
}
