import * as openApps from '@zhugong/contract/equipment/open-apps'
import type { Endpoint, InputFor } from '@zhugong/contract/kit/endpoint'
import { openCalls, signature } from '@zhugong/contract/telemetry/open-endpoints'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openApi } from '#kit/openapi'
import { openSite, type Site } from '../telemetry/ingest-for-test.ts'
import { principalOf, type TestGroup } from '../telemetry/principal-for-test.ts'
import { askOf, callOf, serveFor } from '../telemetry/served-for-test.ts'
import { equipmentRoutes } from './routes.ts'

let site: Site
let app: FastifyInstance
let group: TestGroup = { type: 0, projects: '*' }

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  app = await serveFor(
    site,
    () => principalOf(group),
    (serve) => equipmentRoutes(serve, site.config),
  )
  await site.given.project('A1')
  await site.given.project('B1')
})
afterAll(async () => {
  await app.close()
  await site.close()
})

const ask = <E extends Endpoint>(endpoint: E, input?: InputFor<E>) => askOf(app, endpoint, input)
const call = <E extends Endpoint>(endpoint: E, input?: InputFor<E>) => callOf(app, endpoint, input)

test('an application is made, found, changed and stopped; its secret is told once and renewed', async () => {
  const made = await call(openApps.createOpenApp, { body: { name: '塔机平台', projectCode: 'A1', families: ['towerCrane'] } })
  expect(made.secret).toMatch(/^[0-9a-f]{32}$/)
  const { list } = await call(openApps.listOpenApps, { query: { projectCode: 'A1' } })
  expect(list).toMatchObject([{ id: made.id, name: '塔机平台', families: ['towerCrane'], familyNames: ['塔吊'], devices: 0, status: '1' }])
  expect(JSON.stringify(list)).not.toContain(made.secret)
  expect(await ask(openApps.createOpenApp, { body: { name: '塔机平台', projectCode: 'A1' } })).toMatchObject({
    status: 4,
    message: '本项目已有同名的开放应用',
  })
  await call(openApps.updateOpenApp, { params: { id: made.id }, body: { name: '塔机平台', families: [], remark: null, version: 0 } })
  expect((await call(openApps.listOpenApps, { query: {} })).list[0]).toMatchObject({ families: [], version: 1 })
  expect(await ask(openApps.updateOpenApp, { params: { id: made.id }, body: { name: '旧页', version: 0 } })).toMatchObject({ status: 4 })
  const renewed = await call(openApps.renewOpenAppSecret, { params: { id: made.id } })
  expect(renewed.secret).not.toBe(made.secret)
  await call(openApps.switchOpenApp, { body: { id: made.id, status: '0' } })
  expect((await call(openApps.listOpenApps, { query: { status: '0' } })).list).toMatchObject([{ id: made.id }])
})

test('another project neither sees nor changes it', async () => {
  const made = await call(openApps.createOpenApp, { body: { name: '扬尘平台', projectCode: 'A1' } })
  group = { type: 3, projects: ['B1'] }
  try {
    expect((await call(openApps.listOpenApps, { query: {} })).total).toBe(0)
    const answers = [
      await ask(openApps.updateOpenApp, { params: { id: made.id }, body: { name: '别人的', version: 0 } }),
      await ask(openApps.renewOpenAppSecret, { params: { id: made.id } }),
      await ask(openApps.switchOpenApp, { body: { id: made.id, status: '0' } }),
      await ask(openApps.createOpenApp, { body: { name: '冒名', projectCode: 'A1' } }),
    ]
    for (const { status } of answers) expect(status).not.toBe(0)
  } finally {
    group = { type: 0, projects: '*' }
  }
})

test('what the OpenAPI document says of signed calls is enough to sign one', () => {
  const document = openApi(openCalls, '/', '0', signature) as {
    paths: Record<string, Record<string, { security?: object[]; description?: string }>>
    components: { securitySchemes: Record<string, { name: string; description?: string }> }
  }
  const data = document.paths['/api/v1/open/device/data']?.post
  const [needed] = data?.security ?? []
  const headers = Object.keys(needed ?? {}).map((key) => document.components.securitySchemes[key])
  expect(headers.map((one) => one?.name)).toEqual(['X-App-Id', 'X-Timestamp', 'X-Nonce', 'X-Sign'])
  for (const { description } of headers as { description?: string }[]) expect(description).toBeTruthy()
  for (const [path, methods] of Object.entries(document.paths).filter(([path]) => path.includes('/open/device')))
    for (const one of Object.values(methods)) expect(one.description, path).toBeTruthy()
})
