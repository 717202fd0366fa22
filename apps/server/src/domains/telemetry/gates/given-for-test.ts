import type { GateRequest } from './passage.ts'

/** A push as a gate sends it; the body as text, bytes or an object that becomes JSON. */
export const given = (body: unknown, more: Partial<GateRequest> = {}): GateRequest => ({
  method: 'POST',
  rest: '',
  query: new URLSearchParams(),
  contentType: 'application/json',
  body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
})
