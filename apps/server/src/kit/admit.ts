import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { Principal } from './context.ts'
import { queryOf } from './private-query.ts'
import type { ServeDependencies } from './serve.ts'

export const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path.replace(/\/$/, '')}`

/** As which of its views a wall is answered: the one whose question was asked, to the letter. Undefined for people. */
export function viewFor(
  endpoint: Endpoint,
  { display }: Principal,
  request: FastifyRequest,
): { endpoint: Endpoint; query: unknown } | undefined {
  if (!display) return undefined
  for (const view of display.views.get(keyOf(endpoint)) ?? []) {
    const schema = view.schemas.query
    const asked = schema ? schema.safeParse(queryOf(schema, request)) : { success: true, data: request.query }
    if (asked.success) return { endpoint: view, query: asked.data }
  }
  throw new AppError('forbidden', '墙屏令牌只能按大屏面板读取数据')
}

/** Admits, or says in words why a right that roles do give is closed. */
export async function allow(deps: ServeDependencies, endpoint: Endpoint, principal: Principal): Promise<void> {
  try {
    admit(endpoint, principal)
  } catch (error) {
    const wanting = error instanceof AppError && error.detail?.code !== undefined
    const why = wanting ? await deps.whyClosed?.(principal, codesOf(endpoint)) : undefined
    throw why ? new AppError('forbidden', why, { code: codesOf(endpoint)[0], closed: true }) : error
  }
}

/** Refuses by group type, missing code or an unchanged first password. */
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

/** A password somebody else has made and may know opens nothing but the way to another one. */
export function requireOwnPassword(principal: Principal): void {
  if (principal.user.mustChangePassword) throw new AppError('forbidden', '请先修改密码', { mustChangePassword: true })
}

/** Whose group asks for a second factor has one before anything else. */
export function requireSecondFactor(principal: Principal): void {
  if (principal.user.mustSetSecondFactor) throw new AppError('forbidden', '本单位要求动态口令，请先启用', { mustSetSecondFactor: true })
}
