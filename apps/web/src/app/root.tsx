import { ConfigProvider } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useMemo } from 'react'
import { BrowserRouter } from 'react-router'
import { useMe } from '#kit/me.ts'
import { themeOf } from '#kit/theme.ts'
import { Router } from './router.tsx'
import { Toasts } from './toasts.tsx'

dayjs.locale('zh-cn')

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
