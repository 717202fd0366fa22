import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { privateHeader, splitQuery } from '@zhugong/contract/kit/private-query'
import { takeAhead } from './ahead.ts'
import { CallError, endsSession, type Failure, sessionOverText } from './failure.ts'
import { notify } from './notify.ts'
import { currentSession, displayKey, groupHeader, loseSession } from './session.ts'

export const requestTimeoutMs = 60_000
export const settingsTimeoutMs = 10_000
/** A large file over a site's network takes its time; one of which nothing has moved for so long never arrives. */
export const uploadStallMs = 60_000

/** Ends what has not moved for `uploadStallMs`, however long it takes in all. */
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
  /** Another project than the chosen one, for one call. */
  group?: string
}

type Anything = Record<string, unknown>
interface LooseInput {
  params?: Anything
  query?: Anything
  body?: unknown
}
/** The input may be left out when nothing in it is required. */
export type InputArgs<In, Rest extends unknown[]> =
  Record<never, never> extends In ? [input?: In, ...rest: Rest] : [input: In, ...rest: Rest]

export function pathOf(path: string, params: Anything = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}

/** Lists travel as `a,b`, empty values not at all. */
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
  // Ahead or not: where that answer failed on its way, it is asked for as ever.
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

/** One call. Answers the envelope's data, throws CallError. */
export async function call<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  ...[input, options = {}]: InputArgs<In, [options?: CallOptions]>
): Promise<Out> {
  const response = await send(endpoint as Endpoint, (input ?? {}) as LooseInput, options)
  const envelope = await readEnvelope(response)
  if (!response.ok || envelope?.status !== 0) {
    // An answer without an envelope is a proxy's or a static page: to the user that is a broken server.
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

/** A call that answers a file stream. */
export async function callBlob<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  ...[input, options = {}]: InputArgs<In, [options?: CallOptions]>
): Promise<Download> {
  const response = await send(endpoint as Endpoint, (input ?? {}) as LooseInput, options)
  const json = response.headers.get('content-type')?.includes('application/json')
  if (!response.ok || json) return refuse(response, await readEnvelope(response))
  return { blob: await response.blob(), fileName: fileNameOf(response.headers.get('content-disposition')) ?? '下载' }
}

/** Hands a file to the browser. */
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

/** A multipart call with progress, 0 to 1. It has no time-out as a whole, but ends when nothing moves any more. */
export function upload<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  form: FormData,
  options: { params?: Anything; query?: Anything; onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Out> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, pathOf(endpoint.path, options.params) + queryText(options.query))
    for (const [name, value] of Object.entries(callHeaders())) request.setRequestHeader(name, value)
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

/** Tells the user of a failure as the error table says; what the table keeps silent stays silent. */
export function showFailure(error: unknown): void {
  if (error instanceof CallError) {
    if (error.failure.status !== 105 && error.message) notify.error(error.message)
  } else if (!(error instanceof DOMException && error.name === 'AbortError')) {
    console.error(error)
    notify.error('页面出错，请刷新后重试')
  }
}
