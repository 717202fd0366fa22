import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { showFailure } from '#kit/call.ts'
import { followElsewhere, groupElsewhere, holdHere, useMe } from '#kit/me.ts'
import { findMenu } from '#kit/menu.ts'
import { notify } from '#kit/notify.ts'
import { localKeys } from '#kit/session.ts'
import { unsavedTitles } from '#kit/unsaved.ts'

/** The other tab writes its storage entries one by one. */
const settleMs = 300

/**
 * A session works for one group at a time: the one that any tab chose last. This tab follows, so that it sends no request for a group other
 * than the one in its header. If a form has unsaved changes, the user decides.
 */
export function OtherTab() {
  const [elsewhere, setElsewhere] = useState<string>()
  const navigate = useNavigate()
  const follow = async (name: string) => {
    try {
      await followElsewhere()
      if (!findMenu(useMe.getState().menu, window.location.pathname)) void navigate('/main', { replace: true })
      notify.info(`已在另一个页签切换到“${name}”`)
    } catch (error) {
      showFailure(error)
    }
    setElsewhere(undefined)
  }
  const stay = () =>
    holdHere()
      .then(() => setElsewhere(undefined))
      .catch(showFailure)
  const latest = useRef(follow)
  latest.current = follow

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const name = groupElsewhere()
      if (name !== undefined && unsavedTitles().length === 0) void latest.current(name)
      else setElsewhere(name)
    }
    const onStorage = (event: StorageEvent) => {
      if (event.key !== localKeys.userInfo) return
      clearTimeout(timer)
      timer = setTimeout(look, settleMs)
    }
    window.addEventListener('storage', onStorage)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('storage', onStorage)
    }
  }, [])

  if (elsewhere === undefined) return null
  return (
    <div className="zg-viewer" style={{ background: 'rgba(15,31,61,.45)' }}>
      <div className="app-dialog" role="alertdialog" aria-modal="true" aria-label="另一个页签切换了身份">
        <strong>另一个页签已切换到“{elsewhere}”</strong>
        <p>本页签的“{unsavedTitles().join('、')}”还没有提交，提交前要回到原来的身份。</p>
        <div className="zg-row">
          <Button onClick={() => void follow(elsewhere)}>放弃并转到“{elsewhere}”</Button>
          <Button type="primary" autoFocus onClick={() => void stay()}>
            切回来继续填写
          </Button>
        </div>
      </div>
    </div>
  )
}
