import './identity.css'
import { groupTypeName } from '@zhugong/contract/access/group-types'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { acceptLink, openLink } from '@zhugong/contract/onboarding/links'
import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { CallError } from '#kit/failure.ts'
import { call } from '#kit/http.ts'
import { Labelled } from './labelled.tsx'
import { LoginForm } from './login-form.tsx'
import { passwordRules } from './password-rules.ts'
import { storeAnswer, useLogin } from './use-login.ts'

type Opened = OutputFor<typeof openLink>
/** Login page an invited person returns to when the session expires. */
const loginPath = '/login'
/** The token is in the URL fragment, which browsers do not send to servers, so it appears in no log. */
const tokenHere = (): string => window.location.hash.slice(1)

/** One-time link for an administrator: shows the invitation, creates the account and logs in. */
export default function InvitePage() {
  const [token] = useState(tokenHere)
  const [opened, setOpened] = useState<Opened>()
  const [fault, setFault] = useState<string>()
  const [has, setHas] = useState(false)
  useEffect(() => {
    call(openLink, { body: { token } }).then(setOpened, (error: unknown) =>
      setFault(error instanceof CallError ? error.message : '网络异常，请刷新重试'),
    )
  }, [token])
  return (
    <main className="id-plain">
      <div className="card">
        <h1>
          <img src="/logo.svg" alt="" height="36" />
          接受管理员邀请
        </h1>
        {fault !== undefined ? (
          <>
            <p className="fault" role="alert">
              {fault}
            </p>
            <p className="line">
              <Link to="/login">已有账号，去登录</Link>
            </p>
          </>
        ) : opened ? (
          <>
            <p className="id-invited">
              {opened.by} 邀请 <b>{opened.name}</b> 管理{groupTypeName(opened.groupsType)}“<b>{opened.groupName}</b>”
              <span className="zg-2">链接 {opened.expiresTime.slice(0, 16)} 前有效，只能使用一次</span>
            </p>
            <fieldset className="id-kind" aria-label="接受方式">
              <button type="button" className="zg-bare" aria-pressed={!has} onClick={() => setHas(false)}>
                设置新账号
              </button>
              <button type="button" className="zg-bare" aria-pressed={has} onClick={() => setHas(true)}>
                我已有账号
              </button>
            </fieldset>
            {has ? <Known token={token} /> : <Newcomer token={token} opened={opened} />}
          </>
        ) : (
          <p className="zg-2" role="status">
            正在核对邀请链接…
          </p>
        )}
      </div>
    </main>
  )
}

function Known({ token }: { token: string }) {
  const state = useLogin('default', loginPath, {
    send: (sent) => call(acceptLink, { body: { ...sent, mode: 'existing', token } }),
  })
  return <LoginForm state={state} button="登录并接受" />
}

interface Fault {
  at: string
  text: string
}

function Newcomer({ token, opened }: { token: string; opened: Opened }) {
  const navigate = useNavigate()
  const [values, setValues] = useState({ account: '', name: opened.name, phone: '', password: '', again: '' })
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const rules = passwordRules(values.password, values.account)
  const differs = values.again !== '' && values.again !== values.password
  const ready =
    values.account.trim() &&
    values.name.trim() &&
    values.phone.trim() &&
    rules.every((rule) => rule.met) &&
    values.again === values.password
  const save = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      const { again: _again, ...own } = values
      storeAnswer(await call(acceptLink, { body: { ...own, mode: 'new', token } }), loginPath)
      void navigate('/', { replace: true })
    } catch (error) {
      const [at, text] = error instanceof CallError ? (Object.entries(error.fields)[0] ?? ['', error.message]) : ['', '网络异常，请重试']
      setFault({ at, text })
    } finally {
      setBusy(false)
    }
  }
  const set = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  const at = (field: string) => (fault?.at === field ? fault.text : undefined)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void save()
      }}
    >
      <Labelled id="invite-name" label="姓名" fault={at('name')}>
        <Input id="invite-name" value={values.name} maxLength={50} autoComplete="name" onChange={(e) => set({ name: e.target.value })} />
      </Labelled>
      <Labelled id="invite-phone" label="手机号" fault={at('phone')}>
        <Input
          id="invite-phone"
          value={values.phone}
          maxLength={11}
          inputMode="numeric"
          autoComplete="tel-national"
          placeholder={opened.phone ?? ''}
          onChange={(e) => set({ phone: e.target.value })}
        />
      </Labelled>
      <Labelled id="invite-account" label="账号" fault={at('account')}>
        <Input
          id="invite-account"
          value={values.account}
          maxLength={32}
          autoComplete="username"
          placeholder="4-32 位字母、数字，登录时使用"
          onChange={(e) => set({ account: e.target.value })}
        />
      </Labelled>
      <Labelled id="invite-password" label="密码" fault={at('password')}>
        <Input.Password
          id="invite-password"
          value={values.password}
          maxLength={128}
          autoComplete="new-password"
          onChange={(e) => set({ password: e.target.value })}
        />
      </Labelled>
      <ul className="id-rules" aria-live="polite">
        {rules.map((rule) => (
          <li key={rule.text} className={rule.met ? 'tone-fine' : 'zg-2'}>
            {rule.text}
          </li>
        ))}
      </ul>
      <Labelled id="invite-again" label="再输一次密码" fault={differs ? '两次输入不一致' : undefined}>
        <Input.Password
          id="invite-again"
          value={values.again}
          maxLength={128}
          autoComplete="new-password"
          onChange={(e) => set({ again: e.target.value })}
        />
      </Labelled>
      {fault && !['name', 'phone', 'account', 'password'].includes(fault.at) && (
        <div className="fault" role="alert">
          {fault.text}
        </div>
      )}
      <Button type="primary" htmlType="submit" block className="go" loading={busy} disabled={!ready}>
        设置并进入
      </Button>
    </form>
  )
}
