/**
 * Responses to refused calls. `http` and `status` follow the product's table: 2 and 4 carry a message for the caller, 102 is silent. 103 is
 * a wrong name or password, 105 ends the session, 203 is a wrong captcha.
 */
export const errorKinds = {
  invalidInput: { http: 400, status: 2 },
  // HTTP 404 means an unknown path, which the browser reports as a network problem; an unknown record is therefore 400.
  notFound: { http: 400, status: 2 },
  refused: { http: 200, status: 4 },
  conflict: { http: 200, status: 4 },
  silent: { http: 400, status: 102 },
  wrongCredentials: { http: 403, status: 103 },
  sessionExpired: { http: 403, status: 105 },
  wrongCaptcha: { http: 403, status: 203 },
  forbidden: { http: 403, status: 403 },
  tooSlow: { http: 408, status: 4 },
  tooLarge: { http: 413, status: 2 },
  tooMany: { http: 429, status: 4 },
  unavailable: { http: 503, status: 4 },
  storageFull: { http: 507, status: 4 },
} as const

export type ErrorKind = keyof typeof errorKinds

/** A refusal that the caller can act on. Any other exception is a bug: the caller gets no details, the log gets all. */
export class AppError extends Error {
  readonly kind: ErrorKind
  /** Details for the caller: `field` names the invalid input, `fields` lists several; other keys depend on the kind. */
  readonly detail: Record<string, unknown> | undefined
  constructor(kind: ErrorKind, message: string, detail?: Record<string, unknown>) {
    super(message)
    this.kind = kind
    this.detail = detail
  }
}
