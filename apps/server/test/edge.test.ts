import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ConfigError, readConfig } from '#kit/config'
import { createLog } from '#kit/log'
import { createWeb, describeRoutes } from '../src/http.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'), { rateLimits: true })
})
afterAll(() => world.close())

const base = { DATA_DIR: '/tmp', SECRET_KEY: 'a test key of at least thirty-two characters', DATABASE_URL: 'postgres://unused' }
/** Only the outermost layer, configured like a deployment. */
async function web(env: Record<string, string>, more: { demo?: boolean } = {}, webRoot = '/nowhere') {
  const config = { ...readConfig('serve', { ...base, ...env }), ...more }
  const { app, metrics } = await createWeb(config, createLog('test', 'silent'), {
    webRoot,
    rateLimits: true,
    pictures: () => '',
    live: () => '',
    frames: () => '',
  })
  describeRoutes(
    app,
    config,
    () => metrics.metrics(),
    () => ({ openapi: '3.1.0', servers: [{ url: config.publicUrl ?? '/' }] }),
  )
  app.get('/who', (request) => request.ip)
  return app
}

describe('whose word is taken for where a caller is', () => {
  const forged = '6.6.6.6, 203.0.113.5'
  test.each([
    ['0', '10.0.0.1'],
    ['1', '203.0.113.5'],
    ['2', '6.6.6.6'],
  ])('%s proxies', async (TRUST_PROXY, expected) => {
    const app = await web({ TRUST_PROXY })
    const ask = (forwarded: string) =>
      app.inject({ url: '/who', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': forwarded } }).then((answer) => answer.body)
    expect(await ask(forged)).toBe(expected)
    await app.close()
  })
  test('what is written further left is nobody’s, however much of it', async () => {
    const app = await web({ TRUST_PROXY: '1' })
    for (const lie of ['127.0.0.1', '1.1.1.1, 2.2.2.2, 3.3.3.3', 'nonsense'])
      expect(
        (await app.inject({ url: '/who', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': `${lie}, 203.0.113.5` } })).body,
      ).toBe('203.0.113.5')
    await app.close()
  })
  test.each(['-1', '11', '1.5', 'yes'])('%s is no count', (TRUST_PROXY) => {
    expect(() => readConfig('serve', { ...base, TRUST_PROXY })).toThrow(ConfigError)
  })
})

test('a port that is none ends the start by its name, in words', () => {
  for (const [name, value] of [
    ['PORT', 'abc'],
    ['MQTT_PORT', '70000'],
    ['HJ212_PORT', '82.5'],
  ] as const)
    expect(() => readConfig('serve', { ...base, [name]: value })).toThrow(`环境变量 ${name} 不正确：应为 0～65535 的整数`)
})

test('a monitor that asks for the head of a page is answered like a browser; of a call that is none it hears so', async () => {
  const root = mkdtempSync(join(tmpdir(), 'zg-web-'))
  writeFileSync(join(root, 'index.html'), '<html><head></head><body></body></html>')
  const app = await web({}, {}, root)
  const codes = await Promise.all(
    (['GET', 'HEAD'] as const).flatMap((method) =>
      ['/login', '/', '/api/v1/nothing'].map(async (url) => (await app.inject({ method, url })).statusCode),
    ),
  )
  expect(codes).toEqual([200, 200, 404, 200, 200, 404])
  await app.close()
  rmSync(root, { recursive: true })
})

describe('measurements', () => {
  const METRICS_TOKEN = 'a token of a keeper of watch'
  const ask = async (
    env: Record<string, string>,
    more: { demo?: boolean },
    remoteAddress: string,
    headers: Record<string, string> = {},
  ) => {
    const app = await web(env, more)
    const { statusCode } = await app.inject({ url: '/metrics', remoteAddress, headers })
    await app.close()
    return statusCode
  }
  test('are read with the token, from wherever', async () => {
    expect(await ask({ METRICS_TOKEN }, {}, '203.0.113.1', { authorization: `Bearer ${METRICS_TOKEN}` })).toBe(200)
    for (const authorization of ['', 'Bearer', 'Bearer wrong', METRICS_TOKEN])
      expect(await ask({ METRICS_TOKEN }, { demo: true }, '127.0.0.1', { authorization })).toBe(404)
  })
  test('without one only on the machine of a demonstration', async () => {
    expect(await ask({}, { demo: true }, '127.0.0.1')).toBe(200)
    expect(await ask({}, { demo: true }, '::1')).toBe(200)
    expect(await ask({}, { demo: true }, '10.0.0.1')).toBe(404)
    expect(await ask({}, { demo: true }, '127.0.0.1', { 'x-forwarded-for': '203.0.113.1' })).toBe(404)
    expect(await ask({}, {}, '127.0.0.1')).toBe(404)
  })
})

describe('the description of the calls', () => {
  test('names no host that somebody sent along, is made once and given out with a limit', async () => {
    const ask = (host: string) => world.api.app.inject({ url: '/api/openapi.json', headers: { host } })
    const first = await ask('evil.example')
    expect(first.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] })
    expect(first.body).not.toContain('evil.example')
    expect((await ask('other.example')).body).toBe(first.body)
    const codes: number[] = []
    for (let i = 0; i < 12; i++) codes.push((await ask('evil.example')).statusCode)
    expect(codes.filter((code) => code === 429).length).toBeGreaterThan(0)
  })
  test('names the address the deployment has set', async () => {
    const app = await web({ PUBLIC_URL: 'https://site.example/' })
    expect((await app.inject('/api/openapi.json')).json()).toMatchObject({ servers: [{ url: 'https://site.example' }] })
    await app.close()
    expect(() => readConfig('serve', { ...base, PUBLIC_URL: 'ftp://x' })).toThrow(ConfigError)
  })
})
