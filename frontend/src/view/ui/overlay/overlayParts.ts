/** The Radix components of menus and popovers; a module of its own, so that it is loaded on first use. */
export { DropdownMenu, Popover } from 'radix-ui';
