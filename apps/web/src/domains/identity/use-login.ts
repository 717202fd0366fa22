import { captcha as captchaCall, login } from '@zhugong/contract/identity/endpoints'
import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { CallError } from '#kit/failure.ts'
import { call } from '#kit/http.ts'
import { notify } from '#kit/notify.ts'
import { localKeys, ownPath, storeSession } from '#kit/session.ts'
import { captchaAfter, faultOf, type LoginFault } from './login-fault.ts'

export interface Credentials {
  account: string
  password: string
  captcha: string
  keep: boolean
  otp: string
}

export interface LoginState {
  busy: boolean
  fault: LoginFault | undefined
  /** Captcha image, if a captcha is required. */
  picture: { captchaKey: string; image: string } | undefined
  needsCaptcha: boolean
  needsOtp: boolean
  submit: (values: Credentials) => Promise<void>
  newPicture: () => void
  clearFault: () => void
}

interface GroupInvitation {
  id: string
  groupName: string
  by: string
}
/** First invitation of an account without any membership, from the error details of a login. */
function actionIn(error: unknown): GroupInvitation | undefined {
  if (!(error instanceof CallError) || typeof error.detail !== 'object' || error.detail === null || !('joins' in error.detail))
    return undefined
  return (error.detail.joins as GroupInvitation[])[0]
}
const accepts = ({ groupName, by }: GroupInvitation) =>
  confirmDanger({
    thing: `接受“${groupName}”的邀请`,
    consequence: `由 ${by} 邀请。接受后您成为该机构的成员并进入。`,
    verb: '接受并进入',
    keep: '暂不接受',
  })

type Sent = Omit<InputFor<typeof login>['body'], 'entry' | 'keep'>
type Answer = OutputFor<typeof login>

/** Stores a new session in the browser. `path` is the login page to return to when the session expires. */
export function storeAnswer({ token, keepLive, groupsType }: Pick<Answer, 'token' | 'keepLive' | 'groupsType'>, path: string): void {
  localStorage.setItem(localKeys.groupsType, String(groupsType))
  localStorage.setItem(localKeys.loginPath, path)
  storeSession(token, keepLive.live, keepLive.duration)
}

/** Login of one login page: request, storage and errors. `path` is the login page to return to when the session expires. */
export function useLogin(
  entry: 'default' | 'classic' | 'admin',
  path: string,
  {
    send,
    entered,
  }: {
    /** Replaces the login call, for an endpoint that also creates a session. */
    send?: (sent: Sent) => Promise<Answer>
    /** Replaces the navigation after login. */
    entered?: () => Promise<void>
  } = {},
): LoginState {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<LoginFault>()
  const [needsCaptcha, setNeedsCaptcha] = useState(entry === 'admin')
  const [needsOtp, setNeedsOtp] = useState(false)
  const [picture, setPicture] = useState<{ captchaKey: string; image: string }>()
  const failures = useRef(0)
  /** Accepted invitation, kept until the login succeeds: a captcha or a one-time code may be required first. */
  const joining = useRef<string>(undefined)

  // The route guard has just cleared the storage: set the login page to return to.
  useEffect(() => {
    localStorage.setItem(localKeys.loginPath, path)
  }, [path])

  const newPicture = useCallback(() => {
    call(captchaCall)
      .then(setPicture)
      .catch(() => setPicture(undefined))
  }, [])
  useEffect(() => {
    if (needsCaptcha) newPicture()
  }, [needsCaptcha, newPicture])

  const enter = async (values: Credentials) => {
    const sent: Sent = {
      account: values.account.trim(),
      password: values.password,
      captcha: needsCaptcha && picture ? values.captcha.trim() : undefined,
      captchaKey: needsCaptcha ? picture?.captchaKey : undefined,
      otp: needsOtp ? values.otp.trim() : undefined,
      join: joining.current,
    }
    const answer = send ? await send(sent) : await call(login, { body: { ...sent, entry, keep: entry === 'default' && values.keep } })
    storeAnswer(answer, path)
    if (entry === 'admin' && answer.lastLogin) {
      notify.info(`上次登录 ${answer.lastLogin.at} ${answer.lastLogin.ip}，如非本人操作请立即修改密码`)
    }
    if (entered) return entered()
    const back = ownPath(new URLSearchParams(location.search).get('back'))
    void navigate(back ?? '/', { replace: true })
  }
  const refused = (error: unknown) => {
    failures.current += 1
    const next = faultOf(error instanceof CallError ? error : undefined)
    setFault(next)
    if (next?.otp) setNeedsOtp(true)
    if (next?.captcha || failures.current >= captchaAfter || needsCaptcha) {
      if (needsCaptcha) newPicture()
      else setNeedsCaptcha(true)
    }
  }
  const submit = async (values: Credentials) => {
    if (busy) return
    setBusy(true)
    setFault(undefined)
    try {
      await enter(values)
    } catch (error) {
      const available = joining.current === undefined ? actionIn(error) : undefined
      if (!available || !(await accepts(available))) refused(error)
      else {
        joining.current = available.id
        await enter(values).catch(refused)
      }
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, picture, needsCaptcha, needsOtp, submit, newPicture, clearFault: () => setFault(undefined) }
}
