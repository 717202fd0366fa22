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
 * A busy button's icon comes and goes at once. The library's own leaves by a transition, and where that never ends (a quick answer, no
 * motion) the button would be called "loading" for good.
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
