import { createHash, timingSafeEqual } from 'node:crypto'
import multipart from '@fastify/multipart'
import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import serveStatic from '@fastify/static'
import fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { answerError } from '#kit/answer-error'
import type { Config } from '#kit/config'
import type { Log } from '#kit/log'
import { bareAddress, isLoopback } from '#kit/outgoing-nets'
import { requestMs } from '#kit/pace'
import { webPage } from './web-page.ts'

/** Largest JSON body of an ordinary call, in bytes; uploads and device batches have their own limits. */
const maxBodyBytes = 1024 * 1024
/** Calls per minute and address: enough for a busy office behind one router. */
const generalPerMinute = 6_000

const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }

export interface WebOptions {
  webRoot: string
  rateLimits: boolean
  /** Further hosts from which pages may load pictures, as configured in the deployment. */
  pictures: () => string
  /** The host of live data, if it is not our own. */
  live: () => string
  /** Hosts whose pages may be shown in a frame: external apps. */
  frames: () => string
}

export interface Web {
  app: FastifyInstance
  metrics: Registry
}

/** Creates the HTTP server with everything common to all calls: headers, rate limits, errors, static files, metrics. */
export async function createWeb(config: Config, log: Log, options: WebOptions): Promise<Web> {
  const app = fastify({
    loggerInstance: log as unknown as NonNullable<FastifyServerOptions['loggerInstance']>,
    logController: new LogController({ disableRequestLogging: true }),
    // Count trusted proxies from the right end of X-Forwarded-For: a client can write entries further left itself.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    bodyLimit: maxBodyBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 120 },
    requestTimeout: requestMs,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance
  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics })
  measureRequests(app, metrics)
  const shield = helmet(headersOf(config, options))
  app.addHook('onRequest', (request, reply, done) => shield(request.raw, reply.raw, done as (error?: unknown) => void))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(self), microphone=(self), geolocation=(self), payment=()')
  })
  // A socket that closed at once has no address, by which rate limits are keyed, and needs no response.
  app.addHook('onRequest', async (request, reply) => {
    if (typeof request.ip === 'string') return
    reply.hijack()
    request.raw.destroy()
  })
  await app.register(rateLimit, limitsOf(options))
  await app.register(multipart)
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, log))
  await servePages(app, options.webRoot)
  return { app, metrics }
}

function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const durations = new Histogram({
    name: 'zhugong_http_seconds',
    help: 'HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  })
  app.addHook('onResponse', async (request, reply) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
}

const headersOf = (config: Config, options: WebOptions): HelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // antd writes its styles into <style> elements at run time.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', () => options.pictures()],
      fontSrc: ["'self'", 'data:'],
      mediaSrc: ["'self'", 'blob:'],
      // Live data comes over MQTT on its own port of the same host.
      connectSrc: ["'self'", (request) => liveSources(String(request.headers.host ?? ''), config.mqttWsPort), () => options.live()],
      workerSrc: ["'self'", 'blob:'],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      // A PDF that the page holds is shown by the browser's own viewer.
      frameSrc: [() => ['blob:', options.frames()].filter(Boolean).join(' ')],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
    },
  },
  // In production the proxy terminates HTTPS; browsers ignore this header on plain HTTP.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
  crossOriginEmbedderPolicy: false,
})

const limitsOf = ({ rateLimits }: WebOptions): RateLimitPluginOptions => ({
  global: rateLimits,
  max: generalPerMinute,
  timeWindow: 60_000,
  errorResponseBuilder: (_request, context) =>
    Object.assign(new Error(`请求过于频繁，请 ${Math.max(1, Math.ceil(context.ttl / 1000))} 秒后再试`), {
      statusCode: context.statusCode,
    }),
  allowList: (request) => !rateLimits || !request.url.startsWith('/api/'),
})

/** Serves the web's files, its page at every page address, and an error for other paths. */
async function servePages(app: FastifyInstance, webRoot: WebOptions['webRoot']): Promise<void> {
  const page = webPage(webRoot)
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const wantsPage =
      // Monitoring tools send HEAD requests.
      (request.method === 'GET' || request.method === 'HEAD') &&
      !path.startsWith('/api/') &&
      !/\.[a-z0-9]+$/i.test(path.replace(/^\/manufactor1\.1\.0/, ''))
    if (wantsPage && page) return reply.headers(pageHeaders).send(page(path))
    // A direct API call learns that the endpoint does not exist; other paths get the general message of the web page.
    const message = path.startsWith('/api/') ? '接口不存在' : '404，网络连接失败！'
    return reply.code(404).send({ status: 404, message, data: null })
  })
  if (!page) return
  await app.register(serveStatic, {
    root: webRoot,
    wildcard: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    // Built files have a hash in their name; the page itself is revalidated on each request.
    setHeaders: (response, path) => {
      response.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', (_request, reply) => reply.headers(pageHeaders).send(page('/')))
}

/** Requests per minute for the OpenAPI document, which is over 1 MB, generated once and the same for all clients. */
const descriptionsPerMinute = 10
const measurementsPerMinute = 60

/** Registers /metrics for monitoring and /api/openapi.json for client developers. */
export function describeRoutes(app: FastifyInstance, config: Config, measure: () => Promise<string>, describe: () => unknown): void {
  const limited = (max: number) => ({ config: { rateLimit: { max, timeWindow: 60_000, allowList: [] } } })
  app.get('/metrics', limited(measurementsPerMinute), async (request, reply) => {
    if (!mayMeasure(config, request)) return reply.code(404).send({ status: 404, message: '404，网络连接失败！', data: null })
    return reply
      .header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
      .header('cache-control', 'no-store')
      .send(await measure())
  })
  let document: string | undefined
  app.get('/api/openapi.json', limited(descriptionsPerMinute), (_request, reply) => {
    document ??= JSON.stringify(describe())
    return reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'public, max-age=3600').send(document)
  })
}

/**
 * Whether a request may read /metrics: with the token. Without a configured token only in a demonstration, from this machine and not
 * through a proxy.
 */
function mayMeasure(config: Config, request: FastifyRequest): boolean {
  if (config.metricsToken) {
    const mark = (text: string) => createHash('sha256').update(text).digest()
    return timingSafeEqual(mark(request.headers.authorization ?? ''), mark(`Bearer ${config.metricsToken}`))
  }
  const peer = bareAddress(request.socket.remoteAddress ?? '')
  return config.demo && request.headers['x-forwarded-for'] === undefined && peer !== undefined && isLoopback(peer)
}

function liveSources(host: string, port: number): string {
  const name = /^[\w.-]+|^\[[0-9a-f:]+\]/i.exec(host)?.[0] ?? '127.0.0.1'
  return `ws://${name}:${port} wss://${name}:${port}`
}
