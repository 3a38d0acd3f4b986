/** What the assistant needs of the page while its panel is closed: runs that are watched, ghosts, open proposals. */
export function AssistantHost() {
  return null;
}
