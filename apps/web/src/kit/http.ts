import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { privateHeader, splitQuery } from '@zhugong/contract/kit/private-query'
import { takeAhead } from './ahead.ts'
import { CallError, endsSession, type Failure, sessionOverText } from './failure.ts'
import { notify } from './notify.ts'
import { currentSession, displayKey, groupHeader, localKeys, loseSession, readJson } from './session.ts'

export const requestTimeoutMs = 60_000
export const settingsTimeoutMs = 10_000
/** An upload without progress for this long is aborted. There is no total timeout: large files take long over a site's network. */
export const uploadStallMs = 60_000

/** Calls `end` after `uploadStallMs` without progress, however long the upload takes in total. */
export function stallTimer(end: () => void): { moved: () => void; stop: () => void } {
  let timer = setTimeout(end, uploadStallMs)
  const stop = () => clearTimeout(timer)
  return {
    stop,
    moved() {
      stop()
      timer = setTimeout(end, uploadStallMs)
    },
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** A project other than the chosen one, for this call. */
  group?: string
  /** Keep the answer on the device, and answer with it when there is no network. */
  offline?: boolean
}

type Anything = Record<string, unknown>
interface LooseInput {
  params?: Anything
  query?: Anything
  body?: unknown
}
/** The input is optional if no property of it is required. */
export type InputArgs<In, Rest extends unknown[]> =
  Record<never, never> extends In ? [input?: In, ...rest: Rest] : [input: In, ...rest: Rest]

export function pathOf(path: string, params: Anything = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}

/** Builds a query string. Lists become `a,b`; empty values are left out. */
export function queryText(query: Anything = {}): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    text.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const joined = text.toString()
  return joined ? `?${joined}` : ''
}

export function callHeaders(group?: string): Record<string, string> {
  const key = displayKey()
  if (key) return { token: key, group: group ?? '*' }
  const { token } = currentSession()
  return { ...(token ? { token } : {}), group: group ?? groupHeader() }
}

function fail(failure: Failure, detail?: unknown, requestId?: string): never {
  if (endsSession(failure)) {
    loseSession('expired')
    throw new CallError({ ...failure, message: displayKey() ? failure.message : sessionOverText }, detail, requestId)
  }
  throw new CallError(failure, detail, requestId)
}

interface Envelope {
  status?: number
  message?: string
  data?: unknown
  detail?: unknown
}

async function send(endpoint: Endpoint, input: LooseInput, options: CallOptions): Promise<Response> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? requestTimeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const form = input.body instanceof FormData
  const hasBody = input.body !== undefined && endpoint.method !== 'GET'
  const { open, header } = splitQuery(endpoint.schemas.query, input.query ?? {})
  const address = pathOf(endpoint.path, input.params) + queryText(open)
  const headers = callHeaders(options.group)
  const ahead = hasBody ? undefined : takeAhead(endpoint.method, address, headers)
  // If the prefetched request failed, send a normal one.
  const early = await ahead?.catch(() => undefined)
  if (early) return early
  try {
    return await fetch(address, {
      method: endpoint.method,
      headers: {
        ...headers,
        ...(header ? { [privateHeader]: header } : {}),
        ...(hasBody && !form ? { 'content-type': 'application/json' } : {}),
      },
      signal,
      body: !hasBody ? undefined : form ? (input.body as FormData) : JSON.stringify(input.body),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    return fail({ http: 0, timedOut: timeout.aborted })
  }
}

async function refuse(response: Response, envelope: Envelope | undefined): Promise<never> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  return fail(
    { http: response.status, status: envelope?.status, message: envelope?.message },
    envelope?.detail ?? envelope?.data,
    requestId,
  )
}

const readEnvelope = async (response: Response): Promise<Envelope | undefined> => {
  try {
    return (await response.json()) as Envelope
  } catch {
    return undefined
  }
}

/**
 * Sends one request and returns the data of the response envelope.
 * @throws CallError for every failure; the AbortError of `options.signal` if the caller aborts
 */
export async function call<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  ...[input, options = {}]: InputArgs<In, [options?: CallOptions]>
): Promise<Out> {
  const given = (input ?? {}) as LooseInput
  if (!options.offline) return answer<Out>(endpoint as Endpoint, given, options)
  const account = storedAccount()
  const key = answerKey(endpoint as Endpoint, given, options)
  try {
    const data = await answer<Out>(endpoint as Endpoint, given, options)
    if (account) keepFor(account, key, data)
    return data
  } catch (error) {
    if (!(error instanceof CallError) || error.failure.http !== 0 || !account) throw error
    const { keptAnswer } = await import('./field/answers.ts')
    const kept = await keptAnswer(account, key)
    if (!kept) throw error
    return kept.data as Out
  }
}

const storedAccount = () => readJson<{ id: string }>(localStorage, localKeys.userInfo)?.id
const answerKey = ({ method, path }: Endpoint, { params, query, body }: LooseInput, { group = groupHeader() }: CallOptions): string =>
  [group, method, pathOf(path, params) + queryText(query), body && JSON.stringify(body)].filter(Boolean).join(' ')
const keepFor = (account: string, key: string, data: unknown) =>
  void import('./field/answers.ts').then((field) => field.keepAnswer(account, key, data))

/** Keeps an answer that came before the account was known: of the calls that follow a login. */
export function keepForOffline(endpoint: Endpoint, data: unknown): void {
  const account = storedAccount()
  if (account) keepFor(account, answerKey(endpoint, {}, {}), data)
}

async function answer<Out>(endpoint: Endpoint, input: LooseInput, options: CallOptions): Promise<Out> {
  const response = await send(endpoint, input, options)
  const envelope = await readEnvelope(response)
  if (!response.ok || envelope?.status !== 0) {
    // A response without an envelope came from a proxy or a static file server; the user sees a server error.
    if (response.ok && envelope?.status === undefined) return fail({ http: 500 })
    return refuse(response, envelope)
  }
  return envelope.data as Out
}

export interface Download {
  blob: Blob
  fileName: string
}

function fileNameOf(disposition: string | null): string | undefined {
  const star = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (star) return decodeURIComponent(star)
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]
}

/**
 * A call whose response is a file stream.
 * @throws CallError for every failure; the AbortError of `options.signal` if the caller aborts
 */
export async function callBlob<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  ...[input, options = {}]: InputArgs<In, [options?: CallOptions]>
): Promise<Download> {
  const response = await send(endpoint as Endpoint, (input ?? {}) as LooseInput, options)
  const json = response.headers.get('content-type')?.includes('application/json')
  if (!response.ok || json) return refuse(response, await readEnvelope(response))
  return { blob: await response.blob(), fileName: fileNameOf(response.headers.get('content-disposition')) ?? '下载' }
}

/** Saves a file through the browser's download. */
export function saveBlob({ blob, fileName }: Download): void {
  const address = URL.createObjectURL(blob)
  saveAddress(address, fileName)
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export function saveAddress(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

/**
 * A multipart upload with progress, 0 to 1. No total timeout; it is aborted when progress stalls.
 * @throws CallError for every failure, including an abort
 */
export function upload<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  form: FormData,
  options: {
    params?: Anything
    query?: Anything
    /** Beside those of the session. */
    headers?: Readonly<Record<string, string>>
    onProgress?: (share: number) => void
    signal?: AbortSignal
  } = {},
): Promise<Out> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, pathOf(endpoint.path, options.params) + queryText(options.query))
    for (const [name, value] of Object.entries({ ...callHeaders(), ...options.headers })) request.setRequestHeader(name, value)
    const stall = stallTimer(() => {
      request.abort()
      reject(new CallError({ http: 0 }))
    })
    request.upload.onprogress = (event) => {
      stall.moved()
      options.onProgress?.(event.total ? event.loaded / event.total : 0)
    }
    request.onloadend = stall.stop
    request.onload = () => {
      let envelope: Envelope | undefined
      try {
        envelope = JSON.parse(request.responseText) as Envelope
      } catch {
        envelope = undefined
      }
      if (request.status < 300 && envelope?.status === 0) resolve(envelope.data as Out)
      else {
        try {
          fail({ http: request.status, status: envelope?.status, message: envelope?.message }, envelope?.detail ?? envelope?.data)
        } catch (error) {
          reject(error)
        }
      }
    }
    request.onerror = () => reject(new CallError({ http: 0 }))
    options.signal?.addEventListener('abort', () => {
      request.abort()
      reject(new CallError({ http: 0, timedOut: true }))
    })
    request.send(form)
  })
}

/** Shows an error to the user according to the error table; errors that the table marks silent are not shown. */
export function showFailure(error: unknown): void {
  if (error instanceof CallError) {
    if (error.failure.status !== 105 && error.message) notify.error(error.message)
  } else if (!(error instanceof DOMException && error.name === 'AbortError')) {
    console.error(error)
    notify.error('页面出错，请刷新后重试')
  }
}
