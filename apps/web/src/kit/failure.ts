/** The message that the user sees for a failed call. Texts and the order of the rules follow the product's error table. */

export interface Failure {
  /** HTTP status; 0 = no response. */
  http: number
  status?: number | undefined
  message?: string | undefined
  timedOut?: boolean
}

export const sessionOverText = '会话过期，请重新登录！'

const sessionOver = 105
const silent = 102

/** Status 105 means that the session is over, whatever the HTTP status. */
export const endsSession = ({ status }: Failure): boolean => status === sessionOver

/** An error that is never shown to the user: no message, no panel, no field error. */
export const isSilent = ({ http, status }: Failure): boolean => http === 400 && status === silent

/** The text to show; null for none. */
export function shownText(failure: Failure): string | null {
  const { http, status, message, timedOut } = failure
  if (timedOut) return null
  if (endsSession(failure)) return sessionOverText
  if (http === 0) return '网络连接失败，请检查网络后重试'
  if (http === 500) return '500，服务器链接失败！'
  if (http === 404) return '404，网络连接失败！'
  if (http === 403 && status === 103) return '用户名或密码错误！'
  if (http === 403 && status === 203) return '验证码无效！'
  if (isSilent(failure)) return null
  return message || `${http}，请求没有成功`
}

/** Longest automatic wait before a rate-limited read is retried; beyond it the error is shown. */
const longestWait = 15
const mostTries = 3
const usualWait = 3

/** Seconds after which a rate-limited read is retried automatically; undefined if it is not. */
export function waitBefore(failure: Failure, tries: number): number | undefined {
  if (failure.http !== 429 || tries >= mostTries) return undefined
  const reported = Number(/请 (\d+) 秒后/.exec(failure.message ?? '')?.[1] ?? usualWait)
  return reported <= longestWait ? reported : undefined
}

/** Field errors of a refusal: `{field}` with the message itself, or `{fields: {name: message}}` / `[{field, message}]`. */
export function fieldErrorsOf(detail: unknown, message: string): Record<string, string> {
  if (typeof detail !== 'object' || detail === null) return {}
  const { field, fields } = detail as { field?: unknown; fields?: unknown }
  const found: Record<string, string> = {}
  if (Array.isArray(fields)) {
    for (const one of fields as unknown[]) {
      if (typeof one === 'string') found[one] = message
      else if (typeof one === 'object' && one !== null) {
        const { field: name, path, message: text } = one as { field?: unknown; path?: unknown; message?: unknown }
        const key = name ?? (Array.isArray(path) ? path.join('.') : path)
        if (key !== undefined) found[String(key)] = typeof text === 'string' ? text : message
      }
    }
  } else if (typeof fields === 'object' && fields !== null) {
    for (const [name, text] of Object.entries(fields)) found[name] = String(text)
  }
  const bare = Object.fromEntries(Object.entries(found).map(([name, text]) => [plainName(name), text]))
  // The single field repeats the first of the list with the general message; the list is more precise.
  return typeof field === 'string' ? { [plainName(field)]: message, ...bare } : bare
}

const plainName = (name: string): string => name.replace(/^(body|query|params)\./, '')

export class CallError extends Error {
  readonly failure: Failure
  readonly detail: unknown
  /** The request id, for reporting a fault. */
  readonly requestId: string | undefined
  readonly at: number
  constructor(failure: Failure, detail?: unknown, requestId?: string) {
    super(shownText(failure) ?? '')
    this.failure = failure
    this.detail = detail
    this.requestId = requestId
    this.at = Date.now()
  }
  get fields(): Record<string, string> {
    return isSilent(this.failure) ? {} : fieldErrorsOf(this.detail, this.failure.message ?? this.message)
  }
  /** The user lacks the permission: pages show 无权访问 instead of an error. */
  get forbidden(): boolean {
    return this.failure.http === 403 && ![103, 105, 203].includes(this.failure.status ?? -1)
  }
  /** The record does not exist for this caller. Invalid input has the same status, so the words of the refusal tell. */
  get missing(): boolean {
    return this.failure.http === 400 && this.failure.status === 2 && this.message.includes('不存在')
  }
}
