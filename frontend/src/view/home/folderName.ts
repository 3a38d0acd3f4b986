/** The longest name of a folder, as the server takes it. */
export const FOLDER_NAME_MAX = 120;
