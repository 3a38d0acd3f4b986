/** placeholder */
export function HomeCommands(_props: {
  onCreate: () => void;
  onImport: () => void;
  onShow: (inbox: 'active' | 'trash') => void;
}) {
  return null;
}
