import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { batchLoadTemplates, checkScreen, renewScreenToken } from '@zhugong/contract/screens/endpoints'
import type { RunningTemplate } from '@zhugong/contract/screens/part'
import { useEffect, useState } from 'react'
import { CallError } from '#kit/failure.ts'
import { call } from '#kit/http.ts'
import { displayKeyAnswered, displayKeyRefused, followDisplayKey } from '#kit/session.ts'

export type Checked = OutputFor<typeof checkScreen>
interface Screen {
  checked: Checked | undefined
  template: RunningTemplate | undefined
  /** Error of the last check; the wall keeps running. */
  fault: string | undefined
  over: boolean
}

const checkEveryMs = 60_000
/** Time of the nightly reload, which loads a newer build. */
const anewAt = '04:00'

/** Which template this screen runs: checked at the start and every minute; a new version replaces the old after loading completely. */
export function useScreen(tpl: string | undefined): Screen {
  const [screen, setScreen] = useState<Screen>({ checked: undefined, template: undefined, fault: undefined, over: false })
  useEffect(() => {
    let gone = false
    let current: { id: string; version: number; template: RunningTemplate } | undefined
    const look = async () => {
      try {
        const checked = await checkedAs(tpl)
        await renewed(checked)
        const { templateId: id, publishedVersion: version } = checked
        if (id && version && (current?.id !== id || current.version !== version)) {
          const [template] = (await call(batchLoadTemplates, { body: { ids: [id] } })).list
          if (template) current = { id, version, template }
        }
        if (!gone) setScreen({ checked, template: checked.allowed ? current?.template : undefined, fault: undefined, over: false })
      } catch (error) {
        const fault = error instanceof Error ? error.message : '连接中断'
        const over = error instanceof CallError && error.failure.status === 105
        if (!gone) setScreen((before) => ({ ...before, fault, over }))
      }
    }
    void look()
    const timer = setInterval(() => void look(), checkEveryMs)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [tpl])
  return screen
}

/** If a renewed display key is refused, retries with the previous key. */
async function checkedAs(tpl: string | undefined): Promise<Checked> {
  try {
    const checked = await call(checkScreen, { query: { tpl } })
    displayKeyAnswered()
    return checked
  } catch (error) {
    if (error instanceof CallError && error.failure.status === 105 && displayKeyRefused()) return call(checkScreen, { query: { tpl } })
    throw error
  }
}

/** Renews the display key before it expires, by the server's clock. Errors are ignored; the next check tries again. */
async function renewed({ display, now }: Checked): Promise<void> {
  if (!display || now < display.renewFrom) return
  try {
    const { token } = await call(renewScreenToken)
    followDisplayKey(token)
  } catch {}
}

/** Reloads a wall once a night to load the newest build. */
export function useNightlyReload(on: boolean): void {
  useEffect(() => {
    if (!on) return
    const started = Date.now()
    const timer = setInterval(() => {
      const at = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(11, 16)
      if (at === anewAt && Date.now() - started > 3_600_000) location.reload()
    }, checkEveryMs)
    return () => clearInterval(timer)
  }, [on])
}
