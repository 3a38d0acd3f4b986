/** The shapes of the icons of node types as SVG, drawn when the page is built (`scripts/typeIcons.ts`). */
declare module 'virtual:type-icons' {
  const icons: Readonly<Record<string, string>>;
  export default icons;
}
