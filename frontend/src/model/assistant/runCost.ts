/** The cost of a request in words: time, tokens, and money where the server knows a price. Pure. */
import type { AssistantState } from '../../protocol/types';

/** Per million tokens. */
export interface Price {
  input: number;
  output: number;
  currency: string;
}

/** The price of the model that answered: its own, else the one that counts for all; null where nobody has said. */
export function priceOf(
  { price, prices }: Pick<AssistantState, 'price' | 'prices'>,
  run: { provider: string; model: string },
): Price | null {
  return prices.find((one) => one.provider === run.provider && one.model === run.model) ?? price;
}

export interface RunUsage {
  /** Null where nothing was counted. */
  tokens: { input: number; output: number } | null;
  seconds: number | null;
}

/** Parts of a line, such as “12 s”, “1,240 tokens” and “about $0.012”; zero values are left out. */
export function usageTexts({ tokens, seconds }: RunUsage, price: Price | null): string[] {
  const parts: string[] = [];
  if (seconds !== null && seconds >= 1) parts.push(timeWords(seconds));
  const sum = tokens ? tokens.input + tokens.output : 0;
  if (!tokens || sum === 0) return parts;
  parts.push(`${sum.toLocaleString('en')} tokens`);
  if (price)
    parts.push(priceWords((tokens.input * price.input + tokens.output * price.output) / 1e6, price.currency));
  return parts;
}

const timeWords = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** An amount that is an estimate: “about $0.12”. */
export function priceWords(amount: number, currency: string): string {
  const least = 0.001;
  if (amount > 0 && amount < least) return `less than ${money(least, currency)}`;
  return `about ${money(amount, currency)}`;
}

/** Two significant digits: the price is an estimate. */
function money(amount: number, currency: string): string {
  const digits = { minimumSignificantDigits: 1, maximumSignificantDigits: 2 };
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount);
  } catch {
    // The configured currency need not be a code of ISO 4217.
    return `${new Intl.NumberFormat('en', digits).format(amount)} ${currency}`.trim();
  }
}
