import './identity.css'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { MaintenanceLine } from '#kit/maintenance.tsx'
import { useMe } from '#kit/me.ts'
import { LoginFields, noCredentials } from './login-fields.tsx'
import { useLogin } from './use-login.ts'

/** Login page for shared and old computers: remembers nothing, loads little. */
export default function ClassicLoginPage() {
  const state = useLogin('classic', '/login/v1')
  const settings = useMe((me) => me.settings)
  const [values, setValues] = useState(noCredentials)
  return (
    <main className="id-plain">
      <div className="card">
        <h1>
          <img src={settings?.logoImage || '/logo.svg'} alt="" height="36" />
          {settings?.mainHead || '筑工'}
        </h1>
        <MaintenanceLine />
        <form
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            // A barcode scanner ends each field with Enter: after the account, focus the password.
            if (values.account.trim() && !values.password) document.getElementById('password')?.focus()
            else if (values.account.trim()) void state.submit(values)
          }}
        >
          <LoginFields state={state} values={values} onChange={setValues} large noHistory />
          <Button type="primary" htmlType="submit" block className="go" loading={state.busy}>
            登录
          </Button>
        </form>
        <p className="line">
          公用电脑：关闭浏览器即退出
          <Link to="/login">使用新版登录</Link>
        </p>
      </div>
    </main>
  )
}
