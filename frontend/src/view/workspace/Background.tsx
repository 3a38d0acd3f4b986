/** What goes on in every workspace without being looked at: announcements, and uploads of images; read later. */
import { ImagesHost } from '../images/ImagesHost';
import { Announcer } from '../people/Announcer';

export function Background() {
  return (
    <>
      <Announcer />
      <ImagesHost />
    </>
  );
}
