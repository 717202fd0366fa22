import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import { actingScope } from './acts.ts'
import { entryOf } from './audit-entry.ts'
import { Afterwards, type Context, type Group, type Principal, type Shared } from './context.ts'
import { againAfterDeadlock, inScope, type Scope, type Tx, widenScope } from './db.ts'
import type { Form } from './form.ts'
import { newId } from './ids.ts'
import { within } from './reach.ts'
import type { Handler, ServeDependencies } from './serve.ts'

/**
 * One statement of a request may take so long. Pages are read within a fraction of a second; what asks for more has an export, a thread or
 * a narrower filter, and whoever has to wait longer has left.
 */
const longestStatementMs = 10_000
const noGroup: Group = { id: '', type: 3, code: '', name: '', areaCode: null }

/** One call of somebody, allowed and read. */
export interface Asked {
  endpoint: Endpoint
  handler: Handler<unknown, unknown>
  principal: Principal
  input: Record<string, unknown>
  request: FastifyRequest
  /** Of a multipart call: read to its end before. */
  form: Form | undefined
  gone: AbortSignal
}

/** What a call leaves behind when its transaction has been committed. */
export interface Done {
  data: unknown
  after: (() => void | Promise<void>)[]
}

/** What a try of the transaction leaves behind for when it has been committed, or begun anew. */
interface Left extends Pick<Done, 'after'> {
  noted: { summary: string; objectId: string | readonly string[] | undefined } | undefined
}

/** Runs the handler and writes the row of a change, both or neither. */
export async function inOneTransaction(deps: ServeDependencies, asked: Asked): Promise<Done> {
  const { endpoint, handler, principal, input } = asked
  const isChange = endpoint.method !== 'GET' && !endpoint.unaudited
  const here = within(principal, codesOf(endpoint))
  const scope = isChange ? actingScope(here.scope, endpoint.acts) : here.scope
  const left: Left = { after: [], noted: undefined }
  const work = async (db: Tx) => {
    left.after = []
    left.noted = undefined
    const out = await answered(handler, input, contextOf(deps, asked, here, scope, db, left))
    if (isChange) await record(deps, asked, out, left.noted, db)
    return out
  }
  const mayTryAgain = () => !asked.gone.aborted
  const data = await againAfterDeadlock(() => inScope(deps.db, scope, work, longestStatementMs), mayTryAgain)
  return { data, after: left.after }
}

/**
 * What a call does when it has been committed: outside of its turn, as it may wait for somebody else's server. Of one account a few at a
 * time, and those of others never wait for it.
 */
export async function finish(
  deps: ServeDependencies,
  { principal, gone }: Pick<Asked, 'principal' | 'gone'>,
  done: Done,
): Promise<unknown> {
  const { data, after } = done
  if (after.length === 0 && !(data instanceof Afterwards)) return data
  for (const fn of after) await Promise.resolve(fn()).catch((error: unknown) => deps.log.error({ err: error }, 'after commit'))
  return data instanceof Afterwards ? deps.away.run(principal.user.id, () => data.finish(), gone) : data
}

export const sharedOf = (deps: ServeDependencies, request: FastifyRequest): Shared => ({
  clock: deps.clock,
  newId: () => newId(deps.clock.now()),
  secrets: deps.secrets,
  log: deps.log,
  system: deps.system,
  ip: request.ip,
})

const contextOf = (
  deps: ServeDependencies,
  { principal, request, form, gone }: Asked,
  here: ReturnType<typeof within>,
  scope: Scope,
  db: Tx,
  left: Left,
): Context => ({
  ...sharedOf(deps, request),
  db,
  principal: { ...principal, scope: here.scope },
  user: principal.user,
  group: principal.group ?? noGroup,
  scope,
  codes: here.codes,
  projectCode: principal.projectCode,
  scopeChecks: deps.scopeChecks,
  afterCommit: (fn) => left.after.push(fn),
  widenTo: (projectCode) => widenScope(db, [...scope.projects, projectCode]),
  note: (summary, objectId) => {
    left.noted = { summary, objectId }
  },
  later: (work) => deps.turns.run(principal.user.id, () => inScope(deps.db, scope, work, longestStatementMs)),
  gone,
  upload: () => form?.upload() ?? Promise.reject(new Error('only a multipart call has a file')),
})

async function record(deps: ServeDependencies, asked: Asked, out: unknown, noted: Left['noted'], db: Tx): Promise<void> {
  const entry = entryOf(asked.endpoint, asked.principal, asked.input, asked.request, out)
  const summary = noted?.summary ?? entry.summary
  const objects = typeof noted?.objectId === 'object' ? noted.objectId : [noted?.objectId ?? entry.objectId]
  await deps.recordAudit(db, ...objects.map((objectId) => ({ ...entry, summary, objectId })))
}

/** Where a part in a project hides from a change what its owner may well see, the refusal says so instead of denying that it exists. */
async function answered(handler: Handler<unknown, unknown>, input: unknown, ctx: Context): Promise<unknown> {
  try {
    return await handler(input, ctx)
  } catch (error) {
    const narrowed =
      ctx.scope.projects.length < ctx.principal.scope.projects.length || ctx.scope.limited.length > ctx.principal.scope.limited.length
    if (!(error instanceof AppError && error.kind === 'notFound' && narrowed)) throw error
    throw new AppError('forbidden', '数据不存在，或您的单位在该项目的身份不能办理此事')
  }
}
