/** Writes XML: elements, attributes and text. Pure. */

/**
 * Characters that XML 1.0 does not allow in any form: most control characters, half surrogate pairs, two
 * non-characters.
 */
const INVALID =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any text, escaped for content and attributes, in XML and in HTML. */
export const escaped = (text: string): string =>
  text.replace(INVALID, '').replace(/[&<>"']/g, (character) => ENTITIES[character] as string);

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** An element; its content is not escaped, attributes that are null or undefined are left out. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    tag += ` ${key}="${typeof value === 'number' ? rounded(value) : escaped(value)}"`;
  }
  const inner = content.join('');
  return inner ? `${tag}>${inner}</${name}>` : `${tag}/>`;
}

/** A number with two decimals at most. */
export const rounded = (value: number): string => String(Math.round(value * 100) / 100);
