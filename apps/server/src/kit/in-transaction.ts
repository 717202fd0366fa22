import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import { actingScope } from './acts.ts'
import { entryOf } from './audit-entry.ts'
import { AfterCommit, type Context, type Group, groupTypes, type Principal, type Shared } from './context.ts'
import { made } from './context-mark.ts'
import { againAfterDeadlock, inScope, type Scope, type Tx, widenScope } from './db.ts'
import type { Form } from './form.ts'
import { newId } from './ids.ts'
import { within } from './reach.ts'
import type { Handler, ServeDependencies } from './serve-dependencies.ts'

/**
 * Timeout of one statement of a request. Pages read within a fraction of a second. Larger reads use an export, a worker thread or a
 * narrower filter.
 */
const longestStatementMs = 10_000
const noGroup: Group = { id: '', type: 3, code: '', name: '', areaCode: null }

/** One call of a principal whose permission was checked and whose input was read. */
export interface ApiCall {
  endpoint: Endpoint
  handler: Handler<unknown, unknown>
  principal: Principal
  input: Record<string, unknown>
  request: FastifyRequest
  /** The form of a multipart call, read completely. */
  form: Form | undefined
  gone: AbortSignal
}

/** The result of a call whose transaction was committed. */
export interface Done {
  data: unknown
  after: (() => void | Promise<void>)[]
}

/** What one attempt at the transaction registered; reset when the transaction is retried. */
interface Left extends Pick<Done, 'after'> {
  noted: { summary: string; objectId: string | readonly string[] | undefined } | undefined
  /** The group whose audit log has the row, without who made the request. */
  concealed: Pick<Group, 'id' | 'name'> | undefined
}

/** Runs the handler and, for a change, writes its audit row in the same transaction. Retries after a deadlock. */
export async function inOneTransaction(deps: ServeDependencies, call: ApiCall): Promise<Done> {
  const { endpoint, handler, principal, input } = call
  const isChange = endpoint.method !== 'GET' && !endpoint.unaudited
  const here = within(principal, codesOf(endpoint))
  if (isChange) refuseForeignProject(here.scope, input)
  const scope = isChange ? actingScope(here.scope, endpoint.acts) : here.scope
  const left: Left = { after: [], noted: undefined, concealed: undefined }
  const work = async (db: Tx) => {
    left.after = []
    left.noted = undefined
    left.concealed = undefined
    const out = await answered(handler, input, contextOf(deps, call, here, scope, db, left))
    if (isChange) await record(deps, call, out, left, db)
    return out
  }
  const mayTryAgain = () => !call.gone.aborted
  const data = await againAfterDeadlock(() => inScope(deps.db, scope, work, longestStatementMs), mayTryAgain)
  return { data, after: left.after }
}

/**
 * Refuses a change whose query names a project that the caller does not see, also where the record is found by its id and the handler does
 * not need the project.
 * @throws AppError `notFound`
 */
function refuseForeignProject(scope: Scope, input: Record<string, unknown>): void {
  const { projectCode } = (input.query ?? {}) as { projectCode?: unknown }
  if (typeof projectCode !== 'string' || projectCode === '' || projectCode === '*') return
  if (!scope.all && !scope.projects.includes(projectCode))
    throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

/**
 * Runs the `afterCommit` callbacks and the `AfterCommit` of a call. This happens outside the account's turn, since it may wait for another
 * server. Concurrency is limited per account, so accounts do not delay each other.
 */
export async function finish(
  deps: ServeDependencies,
  { principal, gone }: Pick<ApiCall, 'principal' | 'gone'>,
  done: Done,
): Promise<unknown> {
  const { data, after } = done
  if (after.length === 0 && !(data instanceof AfterCommit)) return data
  for (const fn of after) await Promise.resolve(fn()).catch((error: unknown) => deps.log.error({ err: error }, 'after commit'))
  return data instanceof AfterCommit ? deps.away.run(principal.user.id, () => data.finish(), gone) : data
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
  { principal, request, form, gone }: ApiCall,
  here: ReturnType<typeof within>,
  scope: Scope,
  db: Tx,
  left: Left,
): Context => ({
  [made]: true,
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
  conceal: (group) => {
    left.concealed = group
  },
  later: (work) => deps.turns.run(principal.user.id, () => inScope(deps.db, scope, work, longestStatementMs)),
  gone,
  upload: () => form?.upload() ?? Promise.reject(new Error('only a multipart call has a file')),
})

async function record(deps: ServeDependencies, call: ApiCall, out: unknown, { noted, concealed }: Left, db: Tx): Promise<void> {
  const known = entryOf(call.endpoint, call.principal, call.input, call.request, out)
  const entry = concealed ? { ...known, principal: nobodyOf(call.principal, concealed), projectCode: null, ip: '' } : known
  const summary = noted?.summary ?? entry.summary
  const objects = typeof noted?.objectId === 'object' ? noted.objectId : [noted?.objectId ?? entry.objectId]
  await deps.recordAudit(db, ...objects.map((objectId) => ({ ...entry, summary, objectId })))
}

const nobodyOf = (principal: Principal, { id, name }: Pick<Group, 'id' | 'name'>): Principal => ({
  ...principal,
  user: { ...principal.user, id: '', account: '', name: '匿名' },
  group: { id, name, type: groupTypes.platform, code: '', areaCode: null },
})

/**
 * Runs the handler. When a record was not found because the company's part narrows the scope, the error says so instead of denying that the
 * record exists.
 */
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
