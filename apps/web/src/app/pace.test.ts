import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { expect, test } from 'vitest'
import { holds } from '#kit/can.tsx'
import { exportPollMs, exportRereadMs, isRunning, nextExportRead } from '#kit/export-state.ts'
import { requestTimeoutMs, settingsTimeoutMs } from '#kit/http.ts'
import { brokerAddress, brokerOptions, reconnectMs } from '#kit/live.ts'
import { sameRights } from '#kit/me.ts'
import { hideDelayMs } from '#kit/viewer-state.ts'
import { firstLoadPollMs } from './guard.ts'
import { chunkTimeoutMs } from './lazy.tsx'

test('[constant-polls] the first load is looked after every 100 ms, a viewer goes 100 ms after the click', () =>
  expect([firstLoadPollMs, hideDelayMs]).toEqual([100, 100]))

test('[constant-polls] [export-poll] [export-reread] [export-poll-stops] exports are read 3 s after sending, then every 5 s while one runs, then no more', () => {
  expect([exportRereadMs, exportPollMs]).toEqual([3000, 5000])
  expect(nextExportRead(false, 0)).toBe(3000)
  expect(nextExportRead(false, 2999)).toBe(1)
  expect(nextExportRead(true, 3000)).toBe(5000)
  expect(nextExportRead(true, undefined)).toBe(5000)
  expect(nextExportRead(false, 3000)).toBe(false)
  expect(Object.entries(exportStatus).filter(([, status]) => isRunning({ exportStatus: status }))).toEqual([['running', 2]])
})

test.each([
  [':9001', 'ws://site.example:9001', 'wss://site.example:9001'],
  ['/mqtt', 'ws://site.example:8080/mqtt', 'wss://site.example:8080/mqtt'],
  ['live.example.cn:9001', 'ws://live.example.cn:9001', 'wss://live.example.cn:9001'],
  ['wss://live.example.cn/mqtt', 'wss://live.example.cn/mqtt', 'wss://live.example.cn/mqtt'],
])('[broker-live-data] the profile’s %s is the broker %s, or %s', (mqttHost, plain, secure) => {
  const here = { host: 'site.example:8080', hostname: 'site.example' }
  expect(brokerAddress(mqttHost, { ...here, protocol: 'http:' })).toBe(plain)
  expect(brokerAddress(mqttHost, { ...here, protocol: 'https:' })).toBe(secure)
})

test('[broker-timing] the broker has 4 s to answer, is tried again after 4 s and starts a clean session', () => {
  expect(brokerOptions).toMatchObject({ connectTimeout: 4000, clean: true })
  expect(reconnectMs).toBe(4000)
})

test('[constant-request-timeouts] [http-shared-client] [http-settings-timeout] a call has 60 s, the settings 10 s, a page’s chunk 120 s', () =>
  expect([requestTimeoutMs, settingsTimeoutMs, chunkTimeoutMs]).toEqual([60_000, 10_000, 120_000]))

test.each([
  ['the entered menu’s operators', { operator: ['team.edit'] }, undefined, true],
  ['the codes of the user', { features: ['team.edit'] }, undefined, true],
  ['the menu named in the address', { byMenu: { labour: ['team.edit'] } }, 'labour', true],
  ['another menu than the one named', { byMenu: { labour: ['team.edit'] } }, 'alarm', false],
  ['no menu named', { byMenu: { labour: ['team.edit'] } }, undefined, false],
  ['none', {}, 'labour', false],
])('[button-permission-sources] a button whose code stands in %s', (_, more, web, shown) => {
  const grants = { operator: [], features: [], byMenu: {}, standing: undefined, projectCode: undefined, ...more }
  expect(holds(grants, ['team.edit'], web)).toBe(shown)
})

test('a right that is taken away is another state of rights, menus alike', () => {
  const projectRights = { supervised: [], limited: [], corps: [], runsAny: true }
  const rights = (operator: string[]) => ({ info: { operator, standing: projectRights }, menu: [] })
  expect(sameRights(rights(['a', 'b']), rights(['a', 'b']))).toBe(true)
  expect(sameRights(rights(['a', 'b']), rights(['a']))).toBe(false)
})
