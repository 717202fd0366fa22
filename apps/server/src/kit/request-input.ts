import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { queryOf } from './private-query.ts'

/** Fields that an answer names as wrong: more than a form has. */
const mostFields = 50

/** What a call takes of a request, by its contract; refused as `invalidInput` with the fields that are wrong. */
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

/** The first problem as the message, all of them by field, so that a form can show each where it belongs. */
export function refusalOf(error: z.ZodError): AppError {
  const fields = error.issues.slice(0, mostFields).map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
  const first = fields[0]
  return new AppError('invalidInput', first?.message ?? '输入不正确', { field: first?.field, fields })
}
