import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider, message } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useEffect, useMemo } from 'react'
import { BrowserRouter } from 'react-router'
import { queryClient } from '#kit/call.ts'
import { useMe } from '#kit/me.ts'
import { setNotifier } from '#kit/notify.ts'
import { themeOf } from '#kit/theme.ts'
import { Router } from './router.tsx'

dayjs.locale('zh-cn')

function Messages() {
  const [api, holder] = message.useMessage({ maxCount: 3, duration: 3 })
  useEffect(() => {
    // The same text again renews the message instead of stacking a second one.
    setNotifier((tone, content) => void api.open({ type: tone, content, key: content }))
  }, [api])
  return holder
}

export function Root() {
  const primary = useMe((me) => me.primary)
  const theme = useMemo(() => themeOf(primary), [primary])
  return (
    <ConfigProvider locale={zhCN} theme={theme} button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={queryClient}>
        <Messages />
        <BrowserRouter useTransitions={false}>
          <Router />
        </BrowserRouter>
      </QueryClientProvider>
    </ConfigProvider>
  )
}
