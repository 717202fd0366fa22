import { tmpdir } from 'node:os'
import type { Endpoint, InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import Fastify, { type FastifyInstance } from 'fastify'
import { answerError } from '#kit/answer-error'
import { systemClock } from '#kit/clock'
import type { Principal } from '#kit/context'
import { createLog } from '#kit/log'
import { RequestTurns, unlimitedTurns } from '#kit/request-turns'
import { createServe, type Serve } from '#kit/serve'
import type { Site } from './ingest-for-test.ts'

const log = createLog('test', 'error')

/** Serves some endpoints on a site's database with its ingest running. `requester` returns the principal of each request. */
export async function serveFor(site: Site, requester: () => Principal, routes: (serve: Serve) => void): Promise<FastifyInstance> {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, log))
  routes(
    createServe(app, {
      db: site.database.kysely,
      system: site.database.kysely,
      clock: systemClock,
      secrets: site.secrets,
      log,
      authenticate: async () => requester(),
      recordAudit: async () => undefined,
      recordRefusal: async () => undefined,
      turns: new RequestTurns(unlimitedTurns),
      bodies: new RequestTurns(unlimitedTurns),
      away: new RequestTurns(unlimitedTurns),
      uploads: { folder: tmpdir(), admit: async () => undefined, count: async () => undefined },
      checkAnswers: true,
      scopeChecks: true,
    }),
  )
  await app.ready()
  return app
}

/** Response of an endpoint, including refusals. */
export async function askOf<E extends Endpoint>(app: FastifyInstance, endpoint: E, input?: InputFor<E>) {
  const given = (input ?? {}) as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given.params?.[name] ?? ''))
  const query = new URLSearchParams(Object.entries(given.query ?? {}).map(([k, v]) => [k, String(v)]))
  const answer = await app.inject({
    method: endpoint.method,
    url: query.size ? `${path}?${query}` : path,
    ...(given.body === undefined ? {} : { payload: JSON.stringify(given.body), headers: { 'content-type': 'application/json' } }),
  })
  return { http: answer.statusCode, ...(answer.json() as { status: number; message: string; data: OutputFor<E> }) }
}

/**
 * Output of an endpoint.
 * @throws Error with the server's message when the request is refused.
 */
export async function callOf<E extends Endpoint>(app: FastifyInstance, endpoint: E, input?: InputFor<E>): Promise<OutputFor<E>> {
  const answer = await askOf(app, endpoint, input)
  if (answer.status !== 0) throw new Error(`${endpoint.method} ${endpoint.path} was refused: ${answer.message}`)
  return answer.data
}
