import { codesOf, type Endpoint } from '@zhugong/contract/kit/endpoint'
import { z } from 'zod'

/** Descriptions of the headers of a signed call. */
export interface SignatureWords {
  appId: string
  timestamp: string
  nonce: string
  sign: string
}

/** Builds the OpenAPI 3.1 document of the served endpoints; schemas come from the contract. */
export function openApi(endpoints: readonly Endpoint[], url: string, version: string, signature: SignatureWords): unknown {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const e of endpoints) {
    const path = e.path.replace(/:(\w+)/g, '{$1}')
    const at = paths[path] ?? {}
    paths[path] = at
    at[e.method.toLowerCase()] = {
      summary: e.summary,
      description: e.description,
      operationId: `${e.method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_, c: string) => c.toUpperCase())}`,
      // A signed call needs no session, but it needs a signature.
      security: e.signed ? [{ appId: [], timestamp: [], nonce: [], sign: [] }] : e.needs === 'public' ? [] : undefined,
      'x-permission': codesOf(e).length ? codesOf(e) : undefined,
      parameters: [...parameters(e.schemas.params, 'path'), ...parameters(e.schemas.query, 'query')],
      ...(e.schemas.body
        ? {
            requestBody: {
              content: { [e.multipart ? 'multipart/form-data' : 'application/json']: { schema: jsonSchema(e.schemas.body, 'input') } },
            },
          }
        : {}),
      responses: { 200: { description: 'ok', content: answer(e) } },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: '筑工 API', version },
    servers: [{ url }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token' },
        appId: { type: 'apiKey', in: 'header', name: 'X-App-Id', description: signature.appId },
        timestamp: { type: 'apiKey', in: 'header', name: 'X-Timestamp', description: signature.timestamp },
        nonce: { type: 'apiKey', in: 'header', name: 'X-Nonce', description: signature.nonce },
        sign: { type: 'apiKey', in: 'header', name: 'X-Sign', description: signature.sign },
      },
    },
    paths,
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return rest
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query') {
  if (!schema) return []
  const json = jsonSchema(schema, 'input') as { properties?: Record<string, unknown>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || (json.required?.includes(name) ?? false),
    schema: value,
  }))
}

function answer(e: Endpoint) {
  if (e.answers === 'blob') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  const data = e.schemas.response ? jsonSchema(e.schemas.response, 'output') : { type: 'null' }
  return {
    'application/json': {
      schema: {
        type: 'object',
        required: ['status', 'message', 'data'],
        properties: { status: { type: 'integer' }, message: { type: 'string' }, data },
      },
    },
  }
}
