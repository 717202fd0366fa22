import { expect, test } from 'vitest'
import { CallError, endsSession, type Failure, fieldErrorsOf, shownText, waitBefore } from './failure.ts'

test.each<[Failure, string | null]>([
  [{ http: 200, status: 4, message: '班组名称已存在' }, '班组名称已存在'],
  [{ http: 200, status: 2, message: '参数不对' }, '参数不对'],
  [{ http: 500, status: 1, message: 'stack' }, '500，服务器链接失败！'],
  [{ http: 404 }, '404，网络连接失败！'],
  [{ http: 403, status: 103, message: 'x' }, '用户名或密码错误！'],
  [{ http: 403, status: 105 }, '会话过期，请重新登录！'],
  [{ http: 403, status: 203 }, '验证码无效！'],
  [{ http: 403, status: 403, message: '没有权限' }, '没有权限'],
  [{ http: 400, status: 2, message: '记录不存在' }, '记录不存在'],
  [{ http: 400, status: 105 }, '会话过期，请重新登录！'],
  [{ http: 400, status: 102, message: 'x' }, null],
  [{ http: 400, status: 9, message: '其他' }, '其他'],
  [{ http: 0, timedOut: true }, null],
])(
  '[error-status-4-2] [error-http-500] [error-http-404] [error-403-103] [error-403-203] [error-403-other] [error-400-2] [error-400-other] [error-timeout] %j shows %s',
  (failure, text) => expect(shownText(failure)).toBe(text),
)

test.each([403, 400, 200, 401, 500, 503])(
  '[session-expired-105] [error-403-105] [error-400-105] a status 105 ends the session, HTTP %i',
  (http) => {
    expect(endsSession({ http, status: 105 })).toBe(true)
    expect(shownText({ http, status: 105, message: 'x' })).toBe('会话过期，请重新登录！')
  },
)
test.each([{ http: 403, status: 103 }, { http: 403, status: 403 }, { http: 105, status: 2 }, { http: 403 }])(
  '[session-expired-105] %j does not',
  (failure) => expect(endsSession(failure)).toBe(false),
)

test('[error-400-102-silent] a silent refusal says nothing, at a field neither', () => {
  const silent = new CallError({ http: 400, status: 102, message: '不该看见' }, { field: 'name' })
  expect([silent.message, silent.fields]).toEqual(['', {}])
  const reported = new CallError({ http: 400, status: 2, message: '已存在' }, { field: 'name' })
  expect([reported.message, reported.fields]).toEqual(['已存在', { name: '已存在' }])
})

test.each([
  [{ field: 'name' }, { name: '已存在' }],
  [{ fields: { name: '太长', 'body.phone': '格式不对' } }, { name: '太长', phone: '格式不对' }],
  [{ fields: [{ path: ['teams', 0, 'name'], message: '必填' }] }, { 'teams.0.name': '必填' }],
  [{ fields: ['a', 'b'] }, { a: '已存在', b: '已存在' }],
  [{ field: 'name', fields: [{ field: 'body.name', message: '太长' }] }, { name: '太长' }],
  [null, {}],
])('field errors of %j', (detail, expected) => expect(fieldErrorsOf(detail, '已存在')).toEqual(expected))

test.each<[Failure, number, number | undefined]>([
  [{ http: 429, message: '请求过于频繁，请 4 秒后再试' }, 0, 4],
  [{ http: 429, message: '请求过于频繁，请 4 秒后再试' }, 3, undefined],
  [{ http: 429, message: '请求过于频繁，请 40 秒后再试' }, 0, undefined],
  [{ http: 429 }, 1, 3],
  [{ http: 500 }, 0, undefined],
  [{ http: 0 }, 0, undefined],
])('a read that was held back is tried again by itself: %j after %d tries waits %s s', (failure, tries, wait) =>
  expect(waitBefore(failure, tries)).toBe(wait),
)
