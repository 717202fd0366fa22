import { ExportOutlined, ReloadOutlined } from '@ant-design/icons'
import { grantedApps } from '@zhugong/contract/access/endpoints'
import { getAppBefore } from '@zhugong/contract/apps/app-endpoints'
import { appTypes } from '@zhugong/contract/apps/codes'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageParam, usePageTitle } from '#kit/page.tsx'
import { AppName } from './parts.tsx'

/** A page not loaded within this time is assumed to be down or to forbid framing. */
const patienceMs = 10_000

/** Shows an external system in an iframe. Its URL comes only from the catalogue, never from the query. */
export default function ExternalPage() {
  const appId = usePageParam('appId')
  return appId ? <External key={appId} appId={appId} /> : <Choose />
}

function Choose() {
  const apps = useCall(grantedApps, {}, { quiet: true })
  if (apps.error) return <ErrorPanel error={apps.error} retry={apps.refetch} />
  if (!apps.data) return <DetailSkeleton />
  const external = apps.data.apps.filter((app) => app.firstPath?.startsWith('/iframePath'))
  return (
    <PageShell remark="在平台里打开的外部系统">
      {external.length === 0 ? (
        <Empty text="没有可打开的外部应用" hint="平台登记外部应用并授权后出现在这里" />
      ) : (
        <Card title="外部应用" flush>
          <div className="apps-cards">
            {external.map((app) => (
              <Link key={app.id} className="apps-card" to={app.firstPath ?? ''}>
                <AppName icon={app.icon} name={app.name}>
                  {app.category}
                </AppName>
              </Link>
            ))}
          </div>
        </Card>
      )}
    </PageShell>
  )
}

function External({ appId }: { appId: string }) {
  const { active } = usePage()
  const read = useCall(getAppBefore, { params: { id: appId } }, { quiet: true })
  const projectCode = useProjectCode()
  const [turn, setTurn] = useState(0)
  const app = read.data
  usePageTitle(app?.name)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!app) return <DetailSkeleton />
  if (app.appType !== appTypes.external || !app.entry)
    return <Empty text="这不是外部应用" hint={<Link to={hrefOf('/applyCentre')}>到应用中心查看</Link>} />
  const address = addressOf(app.entry, projectCode)
  return (
    <PageShell
      fill
      title={app.name}
      remark={`来自外部系统 ${app.host}`}
      actions={
        <>
          <Button icon={<ReloadOutlined />} onClick={() => setTurn(turn + 1)}>
            刷新
          </Button>
          <Button icon={<ExportOutlined />} href={address} target="_blank" rel="noopener noreferrer">
            新窗口打开
          </Button>
        </>
      }
    >
      {/* Unmount the frame on leaving the page: in the background it would keep running, video included. */}
      {active && <Frame key={turn} address={address} name={app.name} />}
    </PageShell>
  )
}

/** Passes the project code to the external system, no personal data. */
function addressOf(entry: string, projectCode: string): string {
  const url = new URL(entry)
  if (projectCode !== '*') url.searchParams.set('projectCode', projectCode)
  return url.href
}

function Frame({ address, name }: { address: string; name: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'refused'>('loading')
  useEffect(() => {
    const timer = setTimeout(() => setState((now) => (now === 'loading' ? 'refused' : now)), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="zg-column">
      {state === 'refused' && (
        <Notice
          tone="warning"
          actions={
            <Button size="small" href={address} target="_blank" rel="noopener noreferrer">
              新窗口打开
            </Button>
          }
        >
          该页面不允许嵌入或无法访问
        </Notice>
      )}
      {state === 'loading' && <DetailSkeleton />}
      <div className="apps-frame">
        <iframe
          title={name}
          src={address}
          sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
          onLoad={() => setState('shown')}
        />
      </div>
    </div>
  )
}
