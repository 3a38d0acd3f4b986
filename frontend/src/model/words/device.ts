/** The name of a browser and its system in words, from its user agent. Pure. */

/** The first that is named counts: most browsers also name those that they descend from. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const named = (agent: string, names: readonly (readonly [RegExp, string])[]): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** “Firefox on Linux”; what is no browser that is known here stays as it is. */
export function deviceText(agent: string): string {
  const browser = named(agent, BROWSERS);
  const system = named(agent, SYSTEMS);
  if (!browser) return agent || 'Unknown browser';
  return system ? `${browser} on ${system}` : browser;
}
