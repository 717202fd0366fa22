import './identity.css'
import { Button, ConfigProvider } from 'antd'
import { useEffect, useState } from 'react'
import { darkThemeOf } from '#kit/theme.ts'
import { LoginFields, noCredentials } from './login-fields.tsx'
import { useLogin } from './use-login.ts'

const theme = darkThemeOf()

export default function AdminLoginPage() {
  const state = useLogin('admin', '/hqwladmin')
  const [values, setValues] = useState(noCredentials)
  useEffect(() => {
    const robots = document.createElement('meta')
    robots.name = 'robots'
    robots.content = 'noindex'
    document.head.append(robots)
    return () => robots.remove()
  }, [])
  return (
    <ConfigProvider theme={theme}>
      <main className="id-plain id-dark zg-dark">
        <div className="card">
          <h1>平台管理员登录</h1>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void state.submit(values)
            }}
          >
            <LoginFields state={state} values={values} onChange={setValues} />
            <Button
              type="primary"
              htmlType="submit"
              block
              className="go"
              loading={state.busy}
              disabled={!values.account.trim() || !values.password}
            >
              登录
            </Button>
          </form>
        </div>
      </main>
    </ConfigProvider>
  )
}
