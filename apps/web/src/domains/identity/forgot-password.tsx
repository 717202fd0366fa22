import { captcha as captchaCall } from '@zhugong/contract/identity/endpoints'
import { forgotPassword, resetPassword } from '@zhugong/contract/identity/my-account'
import { Button, Input, Modal } from 'antd'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { CallError } from '#kit/failure.ts'
import { call } from '#kit/http.ts'
import { notify } from '#kit/notify.ts'
import { Labelled } from './labelled.tsx'
import { passwordRules } from './password-rules.ts'

interface Fault {
  at: string
  text: string
}
const faultOf = (error: unknown): Fault => {
  const [at, text] = error instanceof CallError ? (Object.entries(error.fields)[0] ?? []) : []
  return { at: at ?? '', text: text ?? (error instanceof CallError ? error.message : '网络异常，请重试') }
}

/** Two steps: request a code by phone or e-mail, then enter it with a new password. */
export default function ForgotPassword({ account: given, onClose }: { account: string; onClose: () => void }) {
  const [account, setAccount] = useState(given)
  const [minutes, setMinutes] = useState<number>()
  return minutes === undefined ? (
    <Ask account={account} setAccount={setAccount} onSent={setMinutes} onClose={onClose} />
  ) : (
    <Replace account={account} minutes={minutes} onClose={onClose} />
  )
}

function Ask({
  account,
  setAccount,
  onSent,
  onClose,
}: {
  account: string
  setAccount: (account: string) => void
  onSent: (minutes: number) => void
  onClose: () => void
}) {
  const [picture, setPicture] = useState<{ captchaKey: string; image: string }>()
  const [captcha, setCaptcha] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const draw = useCallback(() => {
    call(captchaCall)
      .then(setPicture)
      .catch(() => setPicture(undefined))
  }, [])
  useEffect(draw, [draw])
  const send = async () => {
    setBusy(true)
    try {
      const { minutes } = await call(forgotPassword, {
        body: { account: account.trim(), captcha: captcha.trim(), captchaKey: picture?.captchaKey ?? '' },
      })
      onSent(minutes)
    } catch (error) {
      setFault(faultOf(error))
      setCaptcha('')
      draw()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="找回密码"
      action="获取验证码"
      ready={account.trim() !== '' && captcha.trim() !== ''}
      busy={busy}
      onAct={send}
      onClose={onClose}
    >
      <Labelled id="forgot-account" label="账号">
        <Input id="forgot-account" value={account} maxLength={64} onChange={(event) => setAccount(event.target.value)} />
      </Labelled>
      <Labelled id="forgot-captcha" label="图形验证码" fault={fault?.text}>
        <Input id="forgot-captcha" value={captcha} maxLength={8} autoComplete="off" onChange={(event) => setCaptcha(event.target.value)} />
      </Labelled>
      <button type="button" className="zg-bare" aria-label="换一张验证码" onClick={draw}>
        {picture ? <img src={picture.image} alt="验证码图片" height="36" /> : '加载中'}
      </button>
      <p className="zg-2">验证码发送到账号登记的手机；未登记手机的发送到邮箱。</p>
    </Dialog>
  )
}

function Replace({ account, minutes, onClose }: { account: string; minutes: number; onClose: () => void }) {
  const [code, setCode] = useState('')
  const [newPassword, setNew] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const rules = passwordRules(newPassword, account)
  const save = async () => {
    setBusy(true)
    try {
      await call(resetPassword, { body: { account: account.trim(), code: code.trim(), newPassword } })
      notify.success('密码已重设，请用新密码登录')
      onClose()
    } catch (error) {
      setFault(faultOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="重设密码"
      action="保存"
      ready={/^\d{8}$/.test(code.trim()) && rules.every((rule) => rule.met)}
      busy={busy}
      onAct={save}
      onClose={onClose}
    >
      <p>如账号存在且登记了手机或邮箱，验证码已发出，{minutes} 分钟内有效。</p>
      <Labelled id="reset-code" label="收到的 8 位验证码" fault={fault && fault.at !== 'newPassword' ? fault.text : undefined}>
        <Input
          id="reset-code"
          value={code}
          maxLength={8}
          inputMode="numeric"
          autoComplete="one-time-code"
          onChange={(event) => setCode(event.target.value)}
        />
      </Labelled>
      <Labelled id="reset-password" label="新密码" fault={fault?.at === 'newPassword' ? fault.text : undefined}>
        <Input.Password
          id="reset-password"
          value={newPassword}
          maxLength={128}
          autoComplete="new-password"
          onChange={(event) => setNew(event.target.value)}
        />
      </Labelled>
      <ul aria-live="polite">
        {rules.map((rule) => (
          <li key={rule.text} className={rule.met ? 'tone-fine' : 'zg-2'}>
            {rule.text}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Dialog({
  title,
  action,
  ready,
  busy,
  onAct,
  onClose,
  children,
}: {
  title: string
  action: string
  ready: boolean
  busy: boolean
  onAct: () => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Modal
      open
      centered
      width={400}
      title={title}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!ready} loading={busy} onClick={() => void onAct()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  )
}
