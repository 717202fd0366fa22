import { ConfigProvider } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useMemo } from 'react'
import { BrowserRouter } from 'react-router'
import { useMe } from '#kit/me.ts'
import { themeOf } from '#kit/theme.ts'
import { Router } from './router.tsx'
import { Toasts } from './toasts.tsx'

export function Root() {
  const primary = useMe((me) => me.primary)
  const theme = useMemo(() => themeOf(primary), [primary])
  return (
    <ConfigProvider locale={zhCN} theme={theme} button={{ autoInsertSpace: false }}>
      <Toasts />
      <BrowserRouter useTransitions={false}>
        <Router />
      </BrowserRouter>
    </ConfigProvider>
  )
}
