/** Sends the bytes of a file below `/api/v1`, with its progress, which `fetch` does not tell (`http.ts` does the rest). */
import { ApiError, problemOf, unreachable } from './http';
import { ROOT_PATH } from './root';

export interface Upload {
  path: string;
  bytes: ArrayBuffer;
  type: string;
  /** Called with the part that is sent, from 0 to 1. */
  onProgress: (part: number) => void;
}

/** Resolves once the server has the bytes. Throws `ApiError` for every status from 400 on and when there is no answer. */
export function upload({ path, bytes, type, onProgress }: Upload): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `${ROOT_PATH}/api/v1${path}`);
    request.setRequestHeader('content-type', type);
    request.setRequestHeader('accept', 'application/json, application/problem+json');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onerror = () => reject(unreachable());
    request.onload = () =>
      request.status >= 400
        ? reject(new ApiError(problemOf(request.status, readOrNothing(request.responseText))))
        : resolve();
    request.send(bytes);
  });
}

function readOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
