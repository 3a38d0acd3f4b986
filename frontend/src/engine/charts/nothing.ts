/** Stands in for modules that only draw, and for parsers of kinds of charts that are not read. */
const nothing = { use: (): void => {}, extend: () => nothing };

export default nothing;
export const diagram = null;
