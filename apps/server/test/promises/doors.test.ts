import { deflateRawSync } from 'node:zlib'
import { login } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import type { Answer, World } from '../world.ts'

/** Calls without a session: which exist, how often they may be made, and what they may leave behind. */
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { rateLimits: true })
  settled = await settleCity(world)
})
afterAll(() => world.close())

describe('what answers without a session', () => {
  test('is on this list, and nothing else is', () => {
    const open = world.api.serve.endpoints.filter((e) => e.needs === 'public').map((e) => `${e.method} ${e.path}`)
    expect(open.sort()).toEqual([
      'GET /api/v1/export/:id/file',
      // Verification of a paper: anybody with its QR code.
      'GET /api/v1/open/paper',
      // Published policies: anybody.
      'GET /api/v1/open/policy',
      'GET /api/v1/sys/captcha',
      'GET /api/v1/sys/proof',
      'GET /api/v1/sys/setting/fetch',
      'GET /api/v1/tool/image',
      // Expert application: anybody with the SMS code of a phone; the rest hangs on the ticket.
      'POST /api/v1/open/expert/apply',
      'POST /api/v1/open/expert/upload',
      // For holders of a one-time link.
      'POST /api/v1/sys/adminLink/accept',
      'POST /api/v1/sys/adminLink/open',
      // Badge check: anybody with the badge.
      'POST /api/v1/sys/badge/check',
      'POST /api/v1/sys/login',
      // Own file: a worker with the SMS code of the phone number in it.
      'POST /api/v1/sys/ownLook',
      'POST /api/v1/sys/ownLook/close',
      'POST /api/v1/sys/ownLook/code',
      'POST /api/v1/sys/ownLook/open',
      'POST /api/v1/sys/password/forgot',
      'POST /api/v1/sys/password/reset',
      // Self-registration: anybody with the site's QR code.
      'POST /api/v1/sys/selfEntry',
      'POST /api/v1/sys/selfEntry/code',
      'POST /api/v1/sys/selfEntry/look',
      'POST /api/v1/sys/selfEntry/open',
    ])
  })
  test('of paths that are no calls of the contract there are these', () => {
    const served = new Set(world.api.serve.endpoints.map((e) => e.path.replace(/\/$/, '')))
    const printed = world.api.app.printRoutes({ commonPrefix: false })
    expect(printed).toContain('/healthz')
    const beside = ['/healthz', '/readyz', '/metrics', '/api/openapi.json', '/api/v1/open']
    const lines = [...printed.matchAll(/^[│├└─\s]*(\S+) \((?:[A-Z, ]+)\)/gm)].map(([, path = '']) => path.replace(/\/$/, ''))
    // Printed as a tree: whole paths where it does not branch, otherwise the last segments.
    const unknown = lines.filter(
      (path) => path && ![...served].some((one) => one.endsWith(path)) && !beside.some((one) => path.startsWith(one)),
    )
    // Face gates append paths of their own to their address.
    expect(unknown).toEqual(['*'])
  })
  test('every answer asks browsers for HTTPS, forbids framing and guessing of types', async () => {
    for (const url of ['/healthz', '/api/v1/sys/setting/fetch', '/api/v1/sys/my/info', '/nowhere']) {
      const { headers } = await world.api.app.inject({ url })
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      })
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'[^;]*;.*frame-ancestors 'none'/)
    }
  })
})

describe('whoever asks too often is told to wait, and nobody else', () => {
  const from = (remoteAddress: string, url: string, method: 'GET' | 'POST' = 'GET', payload?: object, token?: string) =>
    world.api.app.inject({ method, url, remoteAddress, ...(payload ? { payload } : {}), headers: token ? { token, group: '*' } : {} })

  test.each([
    ['logins', 'POST', login.path, { account: 'nobody.at.all', password: 'Wrong#Pass123' }, 60],
    ['captchas', 'GET', '/api/v1/sys/captcha', undefined, 60],
  ] as const)('%s', async (_what, method, path, payload, perMinute) => {
    const { token } = await settled.as('hospital-pm')
    const codes: number[] = []
    for (let i = 0; i < perMinute + 15; i++) {
      codes.push((await from('198.51.100.66', path, method, payload)).statusCode)
      if (i % 10 === 0) expect((await from('203.0.113.7', '/api/v1/sys/my/info', 'GET', undefined, token)).statusCode).toBe(200)
    }
    expect(codes.slice(0, perMinute)).not.toContain(429)
    expect(codes.slice(perMinute)).toEqual(Array.from({ length: 15 }, () => 429))
    expect((await from('203.0.113.8', path, method, payload)).statusCode, 'somebody elsewhere').not.toBe(429)
  })
  test('exports: one of a list at a time for each account', async () => {
    const ask = async (account: string) =>
      (
        await world.api.app.inject({
          method: 'POST',
          url: '/api/v1/export',
          headers: { token: (await settled.as(account)).token, group: '*' },
          payload: { feature: 'projectWorker', query: { view: 'project' } },
        })
      ).json<Answer>()
    expect((await ask('hospital-labour')).status).toBe(0)
    expect((await ask('hospital-labour')).message).toContain('正在导出')
    expect((await ask('hospital-pm')).status).toBe(0)
  })
})

describe('what is left behind', () => {
  const boundary = 'promise'
  async function upload(fileName: string, type: string, body: Buffer) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: ${type}\r\n\r\n`
    const payload = Buffer.concat([Buffer.from(head), body, Buffer.from(`\r\n--${boundary}--\r\n`)])
    const { token } = await settled.as('hospital-pm')
    const headers = { token, group: '*', 'content-type': `multipart/form-data; boundary=${boundary}` }
    return world.api.app.inject({ method: 'POST', url: '/api/v1/tool/upload', headers, payload })
  }
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
  const script = '<script>alert(1)</script>'
  const corpus: [string, string, string, Buffer][] = [
    ['SVG', 'a.svg', 'image/svg+xml', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`)],
    ['SVG called a picture', 'a.png', 'image/png', Buffer.from(`<?xml version="1.0"?><svg>${script}</svg>      `)],
    ['HTML', 'a.html', 'text/html', Buffer.from(`<!doctype html>${script}`)],
    ['HTML called a picture', 'a.jpg', 'image/jpeg', Buffer.from(`<html>${script}</html>          `)],
    ['HTML behind a byte order mark', 'a.jpg', 'image/jpeg', Buffer.from(`\ufeff<html>${script}</html>`)],
    ['XML with entities', 'a.xlsx', 'application/xml', Buffer.from('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>')],
    ['JavaScript', 'a.js', 'text/javascript', Buffer.from('alert(document.cookie);     ')],
    ['a program', 'a.png', 'image/png', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['a script of a shell', 'a.pdf', 'application/pdf', Buffer.from('#!/bin/sh\nrm -rf /tmp/x    ')],
    ['GIF with a script', 'a.gif', 'image/gif', Buffer.from(`GIF89a/*${script}*/=1;   `)],
    ['an archive', 'a.xlsx', 'application/zip', Buffer.concat([Buffer.from('504b0304', 'hex'), deflateRawSync(Buffer.alloc(1000))])],
    ['nothing', 'a.png', 'image/png', Buffer.alloc(0)],
    ['next to nothing', 'a.png', 'image/png', png.subarray(0, 8)],
  ]
  test.each(corpus)('%s is refused', async (_what, fileName, type, body) => {
    const answer = await upload(fileName, type, body)
    expect([answer.statusCode, answer.json<Answer>().status]).toEqual([400, 2])
  })
  test('more than 10 MiB is refused', async () => {
    expect((await upload('a.png', 'image/png', Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]))).statusCode).toBe(413)
  })
  test.each([
    '../../../etc/passwd.png',
    '..\\..\\windows\\win.ini.png',
    'a/b.html',
    'x.svg',
    'a.php.png',
    'a%00.png',
    '<img onerror=1>.png',
    '.htaccess',
  ])('a picture called %s is kept under its content and told as what it is', async (fileName) => {
    const { id, name, url, mime } = (await upload(fileName, 'text/html', png)).json<
      Answer<{ id: string; name: string; url: string; mime: string }>
    >().data
    expect([mime, id]).toEqual(['image/png', expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(name).toMatch(/^[^/\\<>:"|?*]+\.png$/)
    const shown = await world.api.app.inject({ url })
    expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    expect(shown.headers['content-disposition']).toMatch(/^inline; filename\*=UTF-8''[^/\\]+\.png$/)
    // A link is valid for its file only, and only with its signature.
    expect((await world.api.app.inject({ url: url.replace(id, 'f'.repeat(32)) })).statusCode).toBe(403)
    expect((await world.api.app.inject({ url: `/api/v1/tool/image?id=${id}` })).statusCode).toBe(403)
    expect((await world.api.app.inject({ url: '/api/v1/tool/image?id=..%2F..%2Fetc%2Fpasswd' })).statusCode).toBe(400)
  })
  test('a document is saved and never shown in the page', async () => {
    const { url } = (await upload('a.pdf', 'text/html', Buffer.from(`%PDF-1.7 ${script}`))).json<Answer<{ url: string }>>().data
    const shown = await world.api.app.inject({ url })
    expect(shown.headers['content-disposition']).toMatch(/^attachment; /)
  })
})
