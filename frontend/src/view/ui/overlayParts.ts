/** What menus and popovers are made of; a file of its own, so that no page reads it before one is opened. */
export { DropdownMenu, Popover } from 'radix-ui';
