import './identity.css'
import { ConfigProvider } from 'antd'
import { useEffect } from 'react'
import { darkThemeOf } from '#kit/theme.ts'
import { LoginForm } from './login-form.tsx'
import { useLogin } from './use-login.ts'

const theme = darkThemeOf()

export default function AdminLoginPage() {
  const state = useLogin('admin', '/hqwladmin')
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
          <LoginForm state={state} button="登录" />
        </div>
      </main>
    </ConfigProvider>
  )
}
