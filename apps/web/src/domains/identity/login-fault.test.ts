import { expect, test } from 'vitest'
import { CallError } from '#kit/failure.ts'
import { faultOf } from './login-fault.ts'

test.each([
  [new CallError({ http: 403, status: 103 }), { text: '用户名或密码错误！', at: 'form', captcha: false, otp: false }],
  [new CallError({ http: 403, status: 103 }, { captcha: true }), { text: '用户名或密码错误！', at: 'form', captcha: true, otp: false }],
  [new CallError({ http: 403, status: 203 }), { text: '验证码无效！', at: 'captcha', captcha: true, otp: false }],
  [
    new CallError({ http: 200, status: 4, message: '账号已锁定，请 12 分钟后再试' }),
    { text: '账号已锁定，请 12 分钟后再试', at: 'form', captcha: false, otp: false },
  ],
  [
    new CallError({ http: 200, status: 4, message: '请输入动态口令' }, { otp: true }),
    { text: '请输入动态口令', at: 'otp', captcha: false, otp: true },
  ],
  [new CallError({ http: 0, timedOut: true }), { text: '服务器没有及时响应，请重试', at: 'form', captcha: false, otp: false }],
])('%s', (error, fault) => expect(faultOf(error)).toEqual(fault))
