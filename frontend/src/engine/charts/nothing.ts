/** Stands in for modules that only draw, and for parsers of kinds of charts that are not read. */
interface Nothing {
  use(): void;
  extend(): Nothing;
}

const nothing: Nothing = { use: () => {}, extend: () => nothing };

export default nothing;
export const diagram = null;
