import { LockOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons'
import { grantedApps } from '@zhugong/contract/access/endpoints'
import { getMainPage } from '@zhugong/contract/home/endpoints'
import { Button } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Empty, ErrorPanel } from '#kit/feedback.tsx'
import { minuteOfDay, time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { useMe, useProjectCode } from '#kit/me.ts'
import { MenuDrawing } from '#kit/menu-icon.tsx'
import { useGo } from '#kit/page.tsx'
import { usePref } from '#kit/pref-state.ts'
import { pinnedPagesKey, stillAvailable, usedPagesKey, withPinned } from '#kit/used-pages.ts'
import { NoticeStrip } from './notice-strip.tsx'
import { machinesOf, onlineOf, pagesByApp } from './tile-words.ts'
import './home.css'

const endingDays = 30
const isEnding = (leftTime: number | null): boolean => leftTime !== null && leftTime <= endingDays

/** Large tiles for all apps, for touch screens and new users. */
export default function TilesPage() {
  const go = useGo()
  const now = useNow(30_000)
  const { info, menu } = useMe()
  const projectCode = useProjectCode()
  const apps = useCall(grantedApps, {}, { quiet: true, staleMs: 300_000 })
  const main = useCall(
    getMainPage,
    { query: { view: 'v1', projectCode: projectCode === '*' ? undefined : projectCode } },
    { quiet: true, everyMs: 60_000 },
  )
  const figure = (key: string) => main.data?.figures.find((f) => f.key === key)
  const live: Record<string, string> = {
    labour: figure('onSite') ? `在册 ${figure('onSite')?.value ?? '--'}` : '',
    attendance: figure('attended') ? `今日出勤 ${figure('attended')?.value ?? '--'}` : '',
    alarm: figure('openAlarms') ? `未处理 ${figure('openAlarms')?.value ?? '--'}` : '',
    monitor: main.data ? onlineOf(main.data.devices) : '',
    project: main.data?.projects.length ? `${main.data.projects.length} 个项目` : '',
  }
  const todo = main.data?.taskCount
  const pages = useMemo(() => pagesByApp(menu), [menu])
  const [usedPaths] = usePref<string[]>(usedPagesKey(info?.groupId), [])
  const [pinnedPaths, setPinned] = usePref<string[]>(pinnedPagesKey(info?.groupId), [])
  const used = stillAvailable(menu, withPinned(pinnedPaths, usedPaths))
  const pin = (path: string) => setPinned(pinnedPaths.includes(path) ? pinnedPaths.filter((one) => one !== path) : [...pinnedPaths, path])
  return (
    <main className="tiles">
      <header className="tiles-head">
        <img src={info?.profile.logo || '/logo.svg'} alt="" height="36" />
        <div>
          <h1>{info?.groupName ?? info?.profile.sysName}</h1>
          <span className="zg-2">{info?.name}，点一个方块进入</span>
        </div>
        <NoticeStrip />
        <div className="tiles-clock">
          <b>{minuteOfDay(now)}</b>
          <span className="zg-2">{time(now).slice(0, 10)}</span>
        </div>
        <Button onClick={() => go('/main')}>切换新版</Button>
      </header>
      {used.length > 0 && (
        <nav className="tiles-used" aria-label="常用">
          <span className="zg-2">常用</span>
          {used.map((page) => (
            <Link key={page.id} to={page.path ?? '/main'}>
              <MenuDrawing name={page.icon} />
              {page.title}
              {pinnedPaths.includes(page.path ?? '') && <PushpinFilled aria-label="已固定" />}
            </Link>
          ))}
        </nav>
      )}
      {apps.error ? (
        <ErrorPanel error={apps.error} retry={apps.refetch} />
      ) : apps.data && apps.data.apps.length === 0 ? (
        <Empty text="您还没有可用的应用" hint="请联系本组管理员开通" />
      ) : (
        <div className="tiles-grid">
          {apps.data?.apps.map((app) => (
            <div key={app.id} className="tile-cell">
              <Link to={app.firstPath ?? '/main'} className={`tile ${isEnding(app.leftTime) ? 'ending' : ''}`}>
                <b>
                  <span className="drawing">
                    <MenuDrawing name={app.icon} />
                  </span>
                  {app.name}
                </b>
                <span className="live">{live[app.code] || machinesOf(pages.get(app.code) ?? [], main.data?.devices ?? [])}</span>
                <span className="pages">
                  {pages
                    .get(app.code)
                    ?.slice(0, 4)
                    .map((page) => page.title)
                    .join('、')}
                </span>
                {app.code === 'home' && !!todo && (
                  <i className="dot" title={`${todo} 项待办`}>
                    {todo}
                  </i>
                )}
                {isEnding(app.leftTime) && (
                  <i className="left">
                    <LockOutlined aria-hidden /> 剩余 {app.leftTime} 天
                  </i>
                )}
              </Link>
              {app.firstPath && (
                <button
                  type="button"
                  className="zg-bare tile-pin"
                  aria-pressed={pinnedPaths.includes(app.firstPath)}
                  aria-label={`${pinnedPaths.includes(app.firstPath) ? '取消固定' : '固定到常用'} ${app.name}`}
                  onClick={() => pin(app.firstPath ?? '')}
                >
                  {pinnedPaths.includes(app.firstPath) ? <PushpinFilled /> : <PushpinOutlined />}
                </button>
              )}
            </div>
          ))}
        </div>
      )}
    </main>
  )
}
