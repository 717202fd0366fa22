import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Principal } from './context.ts'

export interface AuditEntry {
  principal: Principal
  action: string
  summary: string
  objectId: string | null
  projectCode: string | null
  ip: string
  /** Undefined means `ok`. */
  result?: 'refused'
}

/** Builds the audit log entry of a call from its contract, input and response. */
export const entryOf = (
  endpoint: Endpoint,
  principal: Principal,
  input: Record<string, unknown>,
  request: FastifyRequest,
  out?: unknown,
): AuditEntry => ({
  principal,
  action: `${endpoint.method} ${endpoint.path}`,
  summary: endpoint.summary,
  objectId: objectIdOf(input, out),
  projectCode: projectOf(input) ?? (principal.projectCode === '*' ? null : principal.projectCode),
  ip: request.ip,
})

function objectIdOf(input: Record<string, unknown>, out: unknown): string | null {
  const keys = ['id', 'projectCode', 'corpCode', 'govCode', 'workerId', 'deviceId', 'taskId']
  for (const part of [input.params, out, input.body]) {
    if (!part || typeof part !== 'object') continue
    for (const key of keys) {
      const value = (part as Record<string, unknown>)[key]
      if (typeof value === 'string') return value.slice(0, 64)
    }
  }
  return null
}

function projectOf(input: Record<string, unknown>): string | null {
  for (const part of [input.body, input.query, input.params]) {
    const value = (part as Record<string, unknown> | undefined)?.projectCode
    if (typeof value === 'string' && value !== '*') return value.slice(0, 64)
  }
  return null
}
