import { myRights } from '@zhugong/contract/access/users'
import { refreshToken } from '@zhugong/contract/identity/endpoints'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call, showFailure } from '#kit/call.ts'
import { followRights, useMe } from '#kit/me.ts'
import { currentSession, localKeys, loseSession, storeSession } from '#kit/session.ts'
import { nextStep } from './session-steps.ts'

const lookMs = 5000
/**
 * Interval for checking the rights stamp, a short text that changes with the user's rights. Open pages follow a change within two seconds.
 */
const rightsMs = 1_500
/** Menus may change without a change of rights; they are reloaded less often. */
const menusMs = 10_000

/** Renews the session while the user is active, warns before it ends, and follows changes of rights. */
export function SessionWatch() {
  const [ending, setEnding] = useState(false)
  const active = useRef(Date.now())
  const renewing = useRef(false)
  const stamp = useRef<string | undefined>(undefined)

  const renew = async () => {
    if (renewing.current) return
    renewing.current = true
    try {
      const { keepLive } = await call(refreshToken)
      const { token } = currentSession()
      if (token) storeSession(token, keepLive.live, keepLive.duration)
      setEnding(false)
    } catch (error) {
      showFailure(error)
    } finally {
      renewing.current = false
    }
  }
  const latest = useRef(renew)
  latest.current = renew

  useEffect(() => {
    const touch = () => {
      active.current = Date.now()
    }
    const look = () => {
      const { token, keepLive } = currentSession()
      if (!token || !keepLive || !navigator.onLine) return
      const step = nextStep(keepLive, active.current, Date.now())
      if (step === 'over') loseSession('expired')
      else if (step === 'renew') void latest.current()
      setEnding(step === 'warn')
    }
    // Another tab logged out, or opened a public page.
    const onStorage = (event: StorageEvent) => {
      if ((event.key === localKeys.token || event.key === null) && !localStorage.getItem(localKeys.token)) window.location.assign('/')
    }
    const timer = setInterval(look, lookMs)
    const menus = setInterval(() => {
      if (document.visibilityState === 'hidden' || !useMe.getState().info || !currentSession().token) return
      followRights().catch(() => undefined)
    }, menusMs)
    let request = false
    const rights = setInterval(async () => {
      const { info } = useMe.getState()
      if (
        request ||
        !currentSession().token ||
        document.visibilityState === 'hidden' ||
        !info ||
        info.mustChangePassword ||
        info.mustSetSecondFactor
      )
        return
      request = true
      try {
        const now = (await call(myRights, undefined, { group: '*' })).stamp
        const changed = stamp.current !== undefined && stamp.current !== now
        stamp.current = now
        if (changed) await followRights()
      } catch {
        // Errors are ignored: the next check follows soon, and an ended session has been handled already.
      } finally {
        request = false
      }
    }, rightsMs)
    for (const kind of ['pointerdown', 'keydown', 'wheel'] as const) window.addEventListener(kind, touch, { passive: true })
    window.addEventListener('storage', onStorage)
    return () => {
      clearInterval(timer)
      clearInterval(menus)
      clearInterval(rights)
      for (const kind of ['pointerdown', 'keydown', 'wheel'] as const) window.removeEventListener(kind, touch)
      window.removeEventListener('storage', onStorage)
    }
  }, [])

  if (!ending) return null
  return (
    <div className="zg-viewer" style={{ background: 'rgba(15,31,61,.45)' }}>
      <div className="app-dialog" role="alertdialog" aria-modal="true" aria-label="会话即将到期">
        <strong>会话即将到期</strong>
        <p>2 分钟内没有操作将退出登录，未保存的内容会丢失。</p>
        <Button type="primary" autoFocus onClick={() => void renew()}>
          继续工作
        </Button>
      </div>
    </div>
  )
}
