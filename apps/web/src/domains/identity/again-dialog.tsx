import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { call, refresh, showFailure } from '#kit/call.ts'
import { holdHere, useMe } from '#kit/me.ts'
import { localKeys } from '#kit/session.ts'
import { unsavedTitles } from '#kit/unsaved.ts'
import { LoginFields, noCredentials } from './login-fields.tsx'
import { useLogin } from './use-login.ts'
import './identity.css'

const platform = '0'

/**
 * The session expired while a form had unsaved input: the same account logs in again in a dialog and continues. The page behind keeps
 * its input; a login as another account leaves the page.
 */
export function AgainDialog({ onIn, onLeave }: { onIn: () => void; onLeave: () => void }) {
  const info = useMe((me) => me.info)
  const [values, setValues] = useState({ ...noCredentials, account: info?.account ?? '' })
  const [titles] = useState(() => unsavedTitles())
  const isPlatform = localStorage.getItem(localKeys.groupsType) === platform
  const state = useLogin(isPlatform ? 'admin' : 'default', localStorage.getItem(localKeys.loginPath) ?? '/login', {
    entered: async () => {
      const now = await call(getMyInfo, undefined, { group: '*' })
      if (now.id !== info?.id) return onLeave()
      // The new session starts in the account's default group: switch to the group of this page.
      await holdHere().catch(showFailure)
      refresh()
      onIn()
    },
  })
  return (
    <Modal
      open
      centered
      width={380}
      title="登录已到期，请重新输入密码"
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <>
          <Button onClick={onLeave}>放弃填写的内容</Button>
          <Button type="primary" loading={state.busy} disabled={!values.password} onClick={() => void state.submit(values)}>
            登录并继续
          </Button>
        </>
      }
    >
      <p className="zg-2">{`“${titles.join('、')}”中填写的内容还在，登录后继续。`}</p>
      <form
        className="zg-stack"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit(values)
        }}
      >
        <LoginFields state={state} values={values} onChange={setValues} fixedAccount />
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}
