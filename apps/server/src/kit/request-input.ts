import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { queryOf } from './private-query.ts'

/** Maximum number of invalid fields in a response: more than any form has. */
const mostFields = 50

/**
 * Parses params, query and body of a request by the contract.
 * @throws AppError `invalidInput` listing the invalid fields
 */
export function parseInput(
  endpoint: Endpoint,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint.schemas[part]
    if (!schema || (part === 'body' && endpoint.multipart)) continue
    const given = part === 'body' ? (request.body ?? {}) : part === 'query' ? queryOf(schema, request) : request[part]
    const parsed = schema.safeParse(given)
    if (!parsed.success) throw refusalOf(parsed.error)
    input[part] = parsed.data
  }
  return input
}

/** Builds the `invalidInput` error: the first problem as message, all problems by field, so that a form can show each beside its field. */
export function refusalOf(error: z.ZodError): AppError {
  const fields = error.issues.slice(0, mostFields).map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
  const first = fields[0]
  return new AppError('invalidInput', first?.message ?? '输入不正确', { field: first?.field, fields })
}
