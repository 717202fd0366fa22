import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IngestContext, LocalAnswer, LocalCall, Running } from './extension.ts'

/** Handler of the local socket for the api process: readiness, metrics, and the calls of the extensions. */
export function openLocalDoor(ctx: IngestContext, running: readonly Running[]) {
  const { log, pool, pipeline, counters } = ctx

  async function readiness(response: ServerResponse): Promise<void> {
    const database = await pool.query('select 1').then(
      () => true,
      () => false,
    )
    const parts = running.every((part) => part.isReady?.() ?? true)
    const ready = database && pipeline.isFlowing && parts
    const why = [database ? '' : '数据库没有应答', pipeline.isFlowing ? '' : '读数没有在入库', parts ? '' : '外部 MQTT 服务没有连上']
      .filter(Boolean)
      .join('、')
    response
      .writeHead(ready ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ready, database, pending: pipeline.pending, why }))
  }

  async function answerOf(request: IncomingMessage, path: string): Promise<LocalAnswer | undefined> {
    const body = await readBody(request)
    const input = {
      method: request.method ?? 'GET',
      url: request.url ?? '',
      headers: request.headers,
      body,
      address: String(request.headers['x-forwarded-for'] ?? ''),
    }
    for (const call of running.flatMap((part) => part.calls ?? [])) {
      const answer = fits(call, path) ? await call.answer(input) : undefined
      if (answer) return answer
    }
    return undefined
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === '/readyz') return readiness(response)
    if (path === '/metrics') {
      response.writeHead(200, { 'content-type': counters.registry.contentType }).end(await counters.registry.metrics())
      return
    }
    try {
      const answer = await answerOf(request, path)
      if (answer) write(response, answer)
      else response.writeHead(404).end()
    } catch (error) {
      log.error({ err: error, path }, 'local call failed')
      write(response, { http: 503, body: { status: 4, message: '暂时无法处理，请稍后重试', data: null }, retryAfter: 5 })
    }
  }
}

const fits = (call: LocalCall, path: string): boolean => (call.path.endsWith('/') ? path.startsWith(call.path) : path === call.path)

function write(response: ServerResponse, { http, body, contentType, retryAfter }: LocalAnswer): void {
  response
    .writeHead(http, {
      'content-type': contentType ?? 'application/json; charset=utf-8',
      ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
    })
    .end(contentType ? String(body) : JSON.stringify(body))
}

/** The api process has checked the size of the body already. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
