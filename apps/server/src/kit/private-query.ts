import { AppError } from '@zhugong/contract/kit/errors'
import { privateHeader, privateKeys, readPrivate } from '@zhugong/contract/kit/private-query'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

/** A call's query, with what came in the header because it must not stand in an address. Throws AppError when it stands there all the same. */
export function queryOf(schema: z.ZodType, request: Pick<FastifyRequest, 'query' | 'headers'>): unknown {
  const query = (request.query ?? {}) as Record<string, unknown>
  const [field] = privateKeys(schema, query)
  if (field)
    throw new AppError('invalidInput', '证件号码、手机号码不能写在地址里，请放在请求头 X-Private-Query（URL 编码的 JSON）', { field })
  const header = request.headers[privateHeader]
  if (typeof header !== 'string') return query
  const hidden = readPrivate(schema, header)
  if (!hidden) throw new AppError('invalidInput', '请求头 X-Private-Query 应为 URL 编码的 JSON 对象')
  return { ...query, ...hidden }
}
