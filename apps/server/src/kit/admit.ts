import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { Principal } from './context.ts'
import { queryOf } from './private-query.ts'
import type { ServeDependencies } from './serve-dependencies.ts'

export const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path.replace(/\/$/, '')}`

/**
 * Finds the view of a wall whose query matches the request exactly. Returns undefined for people.
 * @throws AppError `forbidden` when no view of the wall matches
 */
export function viewFor(
  endpoint: Endpoint,
  { display }: Principal,
  request: FastifyRequest,
): { endpoint: Endpoint; query: unknown } | undefined {
  if (!display) return undefined
  for (const view of display.views.get(keyOf(endpoint)) ?? []) {
    const schema = view.schemas.query
    const requested = schema ? schema.safeParse(queryOf(schema, request)) : { success: true, data: request.query }
    if (requested.success) return { endpoint: view, query: requested.data }
  }
  throw new AppError('forbidden', '墙屏令牌只能按大屏面板读取数据')
}

/**
 * Checks that the principal may call the endpoint. When a role grants the code but it does not apply here, the error explains why.
 * @throws AppError `forbidden`
 */
export async function allow(deps: ServeDependencies, endpoint: Endpoint, principal: Principal): Promise<void> {
  try {
    admit(endpoint, principal)
  } catch (error) {
    const wanting = error instanceof AppError && error.detail?.code !== undefined
    const why = wanting ? await deps.whyClosed?.(principal, codesOf(endpoint)) : undefined
    throw why ? new AppError('forbidden', why, { code: codesOf(endpoint)[0], closed: true }) : error
  }
}

/** Refuses a wrong group type, a missing permission code, or an initial password that was not changed. */
function admit(endpoint: Endpoint, principal: Principal): void {
  if (principal.display && !principal.display.views.has(keyOf(endpoint)))
    throw new AppError('forbidden', '墙屏令牌只能查看大屏，不能办理其他事项')
  if (!endpoint.initialPassword) requireOwnPassword(principal)
  if (!endpoint.initialPassword && !endpoint.factorSetup) requireSecondFactor(principal)
  if (endpoint.needs === 'self') return
  if (!principal.group) throw new AppError('forbidden', '请先选择要进入的机构或项目')
  const codes = codesOf(endpoint)
  const wrongType = endpoint.groupTypes && !endpoint.groupTypes.includes(principal.group.type)
  if (wrongType || (codes.length && !codes.some((code) => principal.codes.has(code)))) {
    throw new AppError('forbidden', `您没有此项权限（${codes.join('、')}）`, { code: codes[0] })
  }
}

/** An initial password, which another person may know, permits only the calls that change it. */
export function requireOwnPassword(principal: Principal): void {
  if (principal.user.mustChangePassword) throw new AppError('forbidden', '请先修改密码', { mustChangePassword: true })
}

/** A user whose group requires a second factor must set it up before making other calls. */
export function requireSecondFactor(principal: Principal): void {
  if (principal.user.mustSetSecondFactor) throw new AppError('forbidden', '本单位要求动态口令，请先启用', { mustSetSecondFactor: true })
}
