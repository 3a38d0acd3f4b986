/** The second barrier between a document's text and the page: only known elements and attributes get through. */
import createDOMPurify from 'dompurify';
import { hashOfImage } from '../../model/text/images';
import { linkedNode } from '../../model/text/nodeLink';

const ALLOWED_TAGS = (
  'a blockquote br code del details div em h1 h2 h3 h4 h5 h6 hr img kbd li mark ol p pre s section span strong sub summary ' +
  'sup table tbody td th thead tr ul'
).split(' ');
const ALLOWED_ATTR =
  'href title class role aria-label start data-anchor data-image alt width open scope dir'.split(' ');
const ALLOWED_URI = /^(?:https?:|mailto:|#)/i;

const purifier = createDOMPurify(window);

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName === 'IMG') checkImage(element);
  if (element.tagName !== 'A') return;
  const href = element.getAttribute('href') ?? '';
  const node = linkedNode(href);
  if (node !== null) {
    element.classList.add('node-link');
    element.setAttribute('data-node', node);
  } else if (/^(?:https?|mailto):/i.test(href)) {
    element.setAttribute('target', '_blank');
    element.setAttribute('rel', 'noopener noreferrer');
  }
});

/** Images are those of the workspace alone; where the page finds them is said later. */
function checkImage(image: Element): void {
  if (hashOfImage(image.getAttribute('data-image') ?? '') === null) image.remove();
  if (!/^\d{1,5}$/.test(image.getAttribute('width') ?? '')) image.removeAttribute('width');
}

/** Make a fragment that may enter the page out of HTML text of any origin. */
export function sanitised(html: string): DocumentFragment {
  return purifier.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOWED_URI_REGEXP: ALLOWED_URI,
    // Without this their values would have to look like addresses.
    ADD_URI_SAFE_ATTR: ['aria-label', 'start', 'data-anchor', 'data-image', 'width', 'open', 'scope', 'dir'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
