import type { CallError } from '#kit/failure.ts'

/** Error of a failed login and its place in the form. */
export interface LoginFault {
  text: string
  at: 'form' | 'captcha' | 'otp'
  /** The next login needs a captcha. */
  captcha: boolean
  otp: boolean
}

export const captchaAfter = 3

export function faultOf(error: CallError | undefined): LoginFault | undefined {
  if (!error) return { text: '登录没有成功，请稍后再试', at: 'form', captcha: false, otp: false }
  const detail = (typeof error.detail === 'object' && error.detail !== null ? error.detail : {}) as Record<string, unknown>
  const field = detail.field
  const captcha = error.failure.status === 203 || detail.captcha === true || detail.captchaRequired === true || detail.needCaptcha === true
  const otp = detail.otp === true || detail.otpRequired === true || field === 'otp'
  const text = error.message || '服务器没有及时响应，请重试'
  return { text, at: error.failure.status === 203 ? 'captcha' : otp ? 'otp' : 'form', captcha, otp }
}
