export function formsOf(schema: unknown): Record<string, unknown>;
