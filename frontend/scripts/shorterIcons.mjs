/**
 * A plugin of Vite: the parts of each icon of Lucide are numbered in the build. Their keys are six random letters each, which
 * nothing packs; React wants them to differ within an icon alone.
 */
const AN_ICON = /[\\/]node_modules[\\/]lucide-react[\\/].*[\\/]icons[\\/]/;
const KEY = /\bkey: "\w+"/g;

export const shorterIcons = () => ({
  name: 'shorter-icons',
  apply: 'build',
  transform(code, id) {
    if (!AN_ICON.test(id)) return;
    let number = 0;
    return { code: code.replace(KEY, () => `key: "${number++}"`), map: null };
  },
});
