import { LoadingOutlined } from '@ant-design/icons'
import { ConfigProvider } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useMemo } from 'react'
import { BrowserRouter } from 'react-router'
import { useMe } from '#kit/me.ts'
import { themeOf } from '#kit/theme.ts'
import { Router } from './router.tsx'
import { Toasts } from './toasts.tsx'

/**
 * The loading icon of buttons appears and disappears at once. antd's own icon leaves by a transition. If that never ends (a fast response,
 * reduced motion), the button's accessible name would remain "loading".
 */
const button = { autoInsertSpace: false, loadingIcon: <LoadingOutlined aria-label="处理中" /> }

export function Root() {
  const primary = useMe((me) => me.primary)
  const theme = useMemo(() => themeOf(primary), [primary])
  return (
    <ConfigProvider locale={zhCN} theme={theme} button={button}>
      <Toasts />
      <BrowserRouter useTransitions={false}>
        <Router />
      </BrowserRouter>
    </ConfigProvider>
  )
}
