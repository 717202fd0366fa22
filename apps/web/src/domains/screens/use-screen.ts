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
  /** Why nothing more is heard; what runs goes on. */
  fault: string | undefined
  over: boolean
}

const checkEveryMs = 60_000
/** A wall that has run for a day and more begins anew at this hour when there is a newer build. */
const anewAt = '04:00'

/** Which screen runs here: asked at the start and every minute; another version is taken when it has come whole. */
export function useScreen(tpl: string | undefined): Screen {
  const [screen, setScreen] = useState<Screen>({ checked: undefined, template: undefined, fault: undefined, over: false })
  useEffect(() => {
    let gone = false
    let held: { id: string; version: number; template: RunningTemplate } | undefined
    const look = async () => {
      try {
        const checked = await checkedAs(tpl)
        await renewed(checked)
        const { templateId: id, publishedVersion: version } = checked
        if (id && version && (held?.id !== id || held.version !== version)) {
          const [template] = (await call(batchLoadTemplates, { body: { ids: [id] } })).list
          if (template) held = { id, version, template }
        }
        if (!gone) setScreen({ checked, template: checked.allowed ? held?.template : undefined, fault: undefined, over: false })
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

/** A key that follows another and is refused leads back to the one before. */
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

/** A wall's key is followed by another before it ends, by the server's clock. What goes wrong is tried at the next look. */
async function renewed({ display, now }: Checked): Promise<void> {
  if (!display || now < display.renewFrom) return
  try {
    const { token } = await call(renewScreenToken)
    followDisplayKey(token)
  } catch {}
}

/** Once a night a wall takes the newest build. */
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
