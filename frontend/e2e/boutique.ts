/** Online Boutique, as Google's microservices-demo describes it: what a whole diagram of it has. Not here: how it is drawn. */

/** Each group with its nodes: type and name. */
export const GROUPS = {
  Clients: [
    ['user', 'User'],
    ['worker', 'loadgenerator'],
  ],
  Storefront: [
    ['web', 'frontend'],
    ['service', 'adservice'],
    ['service', 'recommendationservice'],
    ['service', 'productcatalogservice'],
    ['service', 'currencyservice'],
  ],
  Ordering: [
    ['service', 'cartservice'],
    ['service', 'checkoutservice'],
    ['service', 'shippingservice'],
    ['service', 'paymentservice'],
    ['service', 'emailservice'],
  ],
  Platform: [
    ['cache', 'redis-cart'],
    ['database', 'products-db'],
    ['monitoring', 'opentelemetrycollector'],
  ],
} as const;

/** Each line: source, target, label. */
export const LINES = [
  ['User', 'frontend', 'shops'],
  ['loadgenerator', 'frontend', 'imitates shoppers'],
  ['frontend', 'adservice', 'gets ads'],
  ['frontend', 'recommendationservice', 'asks what else fits'],
  ['frontend', 'productcatalogservice', 'lists products'],
  ['frontend', 'currencyservice', 'converts prices'],
  ['frontend', 'cartservice', 'shows the cart'],
  ['frontend', 'shippingservice', 'quotes shipping'],
  ['frontend', 'checkoutservice', 'places the order'],
  ['checkoutservice', 'paymentservice', 'charges the card'],
  ['checkoutservice', 'emailservice', 'confirms the order'],
  ['checkoutservice', 'cartservice', 'empties the cart'],
  ['checkoutservice', 'productcatalogservice', 'reads prices'],
  ['checkoutservice', 'currencyservice', 'converts the total'],
  ['checkoutservice', 'shippingservice', 'ships the order'],
  ['recommendationservice', 'productcatalogservice', 'reads products'],
  ['cartservice', 'redis-cart', 'keeps carts'],
  ['productcatalogservice', 'products-db', 'reads the catalogue'],
] as const;

export const labelOf = (source: string, target: string): string => {
  const line = LINES.find(([from, to]) => from === source && to === target);
  if (!line) throw new Error(`There is no line from ${source} to ${target}`);
  return line[2];
};

interface Diagram {
  nodes: { id: string; type: string; label: string; parent: string | null }[];
  edges: { source: string; target: string; label: string; kind: string; direction: string }[];
}

/** A diagram in the form of the two lists above, both sorted. */
export function drawnAs({ nodes, edges }: Diagram): { nodes: string[]; lines: string[] } {
  const name = (id: string | null) => nodes.find((node) => node.id === id)?.label ?? 'nothing';
  return {
    nodes: nodes.map(({ type, label, parent }) => `${type} ${label} in ${name(parent)}`).sort(),
    lines: edges
      .map(({ source, target, label, kind, direction }) =>
        [name(source), name(target), label, kind, direction].join(' | '),
      )
      .sort(),
  };
}

/** The same of what is to be drawn. */
export const WANTED = {
  nodes: Object.entries(GROUPS)
    .flatMap(([group, nodes]) => [
      `group ${group} in nothing`,
      ...nodes.map(([type, label]) => `${type} ${label} in ${group}`),
    ])
    .sort(),
  lines: LINES.map((line) => [...line, 'sync', 'forward'].join(' | ')).sort(),
};
