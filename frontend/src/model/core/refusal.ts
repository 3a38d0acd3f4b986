/** Why an operation cannot be predicted. */

/** The server would refuse it, too. `code` is the server's, `detail` a sentence. */
export class Refused extends Error {
  override name = 'Refused';

  constructor(
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** The result depends on what only the server knows or computes. */
export class NotPredicted extends Error {
  override name = 'NotPredicted';
}
