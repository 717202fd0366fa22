import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { liveSource, pictureSource } from './pictures.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

test.each([
  ['https://tiles.example.cn/{z}/{x}/{y}.png', 'https://tiles.example.cn'],
  ['https://t{0-7}.tianditu.gov.cn/vec_w/wmts?x={x}', 'https://*.tianditu.gov.cn'],
  ['HTTPS://Tiles.Example.cn:8443/a', 'https://Tiles.Example.cn:8443'],
  ['/tiles/{z}/{x}/{y}.png', undefined],
  ["https://evil.cn; script-src 'unsafe-inline'/x", undefined],
  ['https://{a}.cn/x', undefined],
  ['https://a b/x', undefined],
  ['javascript:alert(1)', undefined],
  [undefined, undefined],
])('pictures from %s', (address, expected) => expect(pictureSource(address)).toBe(expected))

test.each([
  [':9001', undefined],
  ['/mqtt', undefined],
  ['wss://live.example.cn/mqtt', 'wss://live.example.cn'],
  ['live.example.cn:9001', 'ws://live.example.cn:9001 wss://live.example.cn:9001'],
  ["wss://evil.cn; script-src 'unsafe-inline'", undefined],
  ['http://a b', undefined],
  ['https://live.example.cn', undefined],
  [undefined, undefined],
])('[broker-live-data] live data from %s', (mqttHost, expected) => expect(liveSource(mqttHost)).toBe(expected))

test('[broker-live-data] the profile names the broker’s host, and the page’s own policy lets it through', async () => {
  const policy = async () => String((await world.api.app.inject({ url: '/healthz' })).headers['content-security-policy'])
  const admin = await settled.as('admin')
  const named = async () => (await world.anonymous.call(publicSettings, { query: {} })).mqttHost
  expect(await named()).toBe(`:${world.config.mqttWsPort}`)
  expect(await policy()).not.toContain('live.example.cn')
  await admin.call(updateSettings, { body: { mqttHost: 'wss://live.example.cn/mqtt' } })
  expect(await named()).toBe('wss://live.example.cn/mqtt')
  expect(await policy()).toMatch(/connect-src [^;]* wss:\/\/live\.example\.cn;/)
  const odd = await admin.ask(updateSettings, { body: { mqttHost: "a b; script-src 'unsafe-inline'" } })
  expect(odd.data).toMatchObject({ field: 'mqttHost' })
  await admin.call(updateSettings, { body: { mqttHost: `:${world.config.mqttWsPort}` } })
  expect(await policy()).not.toContain('live.example.cn')
})

test('the map’s tiles are let through by the page’s own policy as soon as they are set', async () => {
  const policy = async () => (await world.api.app.inject({ url: '/healthz' })).headers['content-security-policy']
  expect(await policy()).not.toContain('tiles.example.cn')
  const admin = await settled.as('admin')
  const map = { tiles: 'https://tiles.example.cn/{z}/{x}/{y}.png', crs: 'gcj02' as const, attribution: '示例地图 GS(2026)1号' }
  await admin.call(updateSettings, { body: { map } })
  expect(await policy()).toContain("img-src 'self' data: blob: https://tiles.example.cn;")
  expect((await world.anonymous.call(publicSettings, { query: {} })).map).toEqual(map)
  const bad = await admin.ask(updateSettings, { body: { map: { ...map, tiles: 'http://tiles.example.cn/a.png' } } })
  expect(bad.data).toMatchObject({ field: 'map.tiles' })
  await admin.call(updateSettings, { body: { map: null } })
  expect(await policy()).not.toContain('tiles.example.cn')
})
