import { AppError } from '@zhugong/contract/kit/errors'
import { privateHeader, privateKeys, readPrivate } from '@zhugong/contract/kit/private-query'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

/**
 * Returns the query of a call, including personal data sent in a header because it must not appear in a URL.
 * @throws AppError `invalidInput` when such data appears in the URL all the same
 */
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
