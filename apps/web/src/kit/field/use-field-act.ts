import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { useState } from 'react'
import { staleAfter } from '../call.ts'
import { CallError } from '../failure.ts'
import { showFailure } from '../http.ts'
import { notify } from '../notify.ts'
import { dropFromOutbox, putInOutbox, sendOne, useOutbox } from './outbox.ts'
import { isFull, type Waiting } from './store.ts'

export interface About extends Pick<Waiting, 'title' | 'page' | 'lines'> {
  /** Id of the record or, for changes of one record, of this change. */
  id: string
}
interface Options<Out> {
  /** `data` is undefined when another tab has sent it. */
  success?: string | ((data: Out | undefined) => string)
  /** After the server has taken it. */
  onDone?: (data: Out | undefined) => void
  /** After it was kept on the device, because there is no network. */
  onKept?: () => void
}

/** The answer, or undefined when it waits on the device or another tab has sent it. */
interface FieldSent<Out> {
  data: Out | undefined
}

const noFields: Record<string, string> = {}

/**
 * A change that works without network: it is kept on the device first, then sent. Without network it waits there and is sent later, also
 * after the browser was closed. What the server refuses while the page is open is shown at the fields and not kept.
 */
export function useFieldAct<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  { success = '已提交', onDone, onKept }: Options<Out> = {},
): { run: (input: In, about: About) => Promise<FieldSent<Out> | undefined>; running: boolean; fieldErrors: Record<string, string> } {
  const client = useQueryClient()
  const [running, setRunning] = useState(false)
  const [fieldErrors, setFieldErrors] = useState(noFields)
  const run = async (input: In, about: About) => {
    setRunning(true)
    setFieldErrors(noFields)
    try {
      const {
        params = {},
        query = {},
        body,
      } = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
      const { method, path } = endpoint as { method: 'POST' | 'PUT'; path: string }
      const letter = await putInOutbox({ ...about, method, path, params, query, body })
      const sent = await sendOne(letter.id)
      if (sent.is === 'later') {
        notify.warning('没有网络，已存在本机，联网后自动发送')
        useOutbox.setState({ open: false })
        onKept?.()
        return { data: undefined }
      }
      if (sent.is === 'refused') {
        // The form still holds what was typed, with its photographs.
        await dropFromOutbox(letter, false)
        if (sent.error instanceof CallError) {
          setFieldErrors(sent.error.fields)
          if (Object.keys(sent.error.fields).length === 0) showFailure(sent.error)
        } else notify.error(sent.error.message)
        return undefined
      }
      const data = sent.data as Out | undefined
      notify.success(typeof success === 'function' ? success(data) : success)
      void client.invalidateQueries({ predicate: ({ queryKey }) => staleAfter(endpoint, queryKey[1]) })
      onDone?.(data)
      return { data }
    } catch (error) {
      if (isFull(error)) notify.error('本机存储已满，未能保存，请先联网发送待传内容或清理空间')
      else showFailure(error)
      return undefined
    } finally {
      setRunning(false)
    }
  }
  return { run, running, fieldErrors }
}
