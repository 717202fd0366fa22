import { CloseOutlined, EllipsisOutlined, HomeOutlined } from '@ant-design/icons'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { refresh } from '#kit/call.ts'
import { whenCalm } from '#kit/calm.ts'
import { useExportCentre } from '#kit/export-state.ts'
import { FloatingMenu } from '#kit/floating.tsx'
import { MaintenanceLine } from '#kit/maintenance.tsx'
import { useMe } from '#kit/me.ts'
import { findMenu, firstPathOf } from '#kit/menu.ts'
import { isNarrow } from '#kit/narrow.ts'
import { cacheKeyOf } from '#kit/pages.ts'
import { showPanels } from '#kit/panels.ts'
import { prefNow, readPref, writePref } from '#kit/prefs.ts'
import { forgetUnsaved, isUnsaved, mayLeave } from '#kit/unsaved.ts'
import { noteUsed, reportUse } from '#kit/used-pages.ts'
import type { Entered } from './entered.ts'
import { keepForField } from './field-worker.ts'
import { Header } from './header.tsx'
import { KeepAlive } from './keep-alive.tsx'
import { OtherTab } from './other-tab.tsx'
import Queries from './queries.tsx'
import { hostOf } from './routes.ts'
import { SessionWatch } from './session-watch.tsx'
import { SideMenu } from './side-menu.tsx'
import { SosRoom } from './sos-room.tsx'
import { closeOthers, closeRight, closing, homePath, hrefOfPage, keptPages, type OpenPage, visited } from './tabs.ts'
import { UpdateHint } from './update-hint.tsx'

const SosBar = lazy(() => import('./sos-bar.tsx').then((file) => ({ default: file.SosBar })))

const ExportCentre = lazy(() => import('#kit/export-centre.tsx').then((file) => ({ default: file.ExportCentre })))

/** On a phone there is no room for the menu beside the page (app.css). */

export default function Shell({ entered }: { entered: Entered }) {
  return (
    <Queries>
      <Frame entered={entered} />
    </Queries>
  )
}

function Frame({ entered }: { entered: Entered }) {
  const { location, match, trail } = entered
  const navigate = useNavigate()
  const menu = useMe((me) => me.menu)
  const epoch = useMe((me) => me.epoch)
  const exportsOpen = useExportCentre((centre) => centre.open)
  const [open, setOpen] = useState<readonly OpenPage[]>([])
  const [folded, setFolded] = useState(() => isNarrow() || (prefNow<boolean>('menu-folded') ?? false))
  const clock = useRef(0)
  const main = useRef<HTMLElement>(null)

  useEffect(() => void showPanels(), [])
  useEffect(() => void whenCalm().then(keepForField), [])
  useEffect(() => void readPref<boolean>('menu-folded').then((stored) => stored !== undefined && !isNarrow() && setFolded(stored)), [])

  // The visit is registered during rendering, so that the page appears together with the address, not a frame later.
  const [seen, setSeen] = useState<{ entered?: Entered; epoch: number }>({ epoch })
  let pages = open
  if (seen.epoch !== epoch) pages = []
  const host = match ? hostOf(match.entry) : undefined
  const hostPath = match && host !== match.entry ? (host?.path ?? '') : location.pathname
  const key = host ? cacheKeyOf(host, hostPath, new URLSearchParams(location.search)) : undefined
  if (seen.entered !== entered || seen.epoch !== epoch) {
    setSeen({ entered, epoch })
    if (match && host && key) {
      clock.current += 1
      pages = visited(
        pages,
        {
          key,
          entry: host,
          child: host === match.entry ? undefined : match.entry,
          path: location.pathname,
          search: location.search,
          params: match.params,
        },
        clock.current,
      )
    }
    setOpen(pages)
  }
  const kept = useMemo(() => keptPages(open, key, isUnsaved), [open, key])

  const latest = useRef({ open, key })
  latest.current = { open, key }

  const onTitle = useCallback((at: string, title: string) => {
    setOpen((now) => now.map((page) => (page.key === at && page.title !== title ? { ...page, title } : page)))
  }, [])
  const onRefresh = useCallback((at: string) => {
    refresh()
    setOpen((now) => now.map((page) => (page.key === at ? { ...page, visit: page.visit + 1 } : page)))
  }, [])
  const onLeave = useCallback(
    (at: string, href?: string) => {
      forgetUnsaved(at)
      const { open: rest, next } = closing(latest.current.open, at)
      setOpen(rest)
      if (href) void navigate(href)
      else if (at === latest.current.key) void navigate(next ? hrefOfPage(next) : homePath)
    },
    [navigate],
  )
  const onClose = useCallback(async (at: string) => (await mayLeave([at])) && onLeave(at), [onLeave])
  const close = useCallback((at: string) => void onClose(at), [onClose])
  /**
   * Keeps only these pages open, after asking about unsaved changes in the others. If the current page is closed, the page `at` comes to
   * the front.
   */
  const keepOnly = async (rest: readonly OpenPage[], at: string) => {
    const gone = open.filter((page) => !rest.includes(page)).map((page) => page.key)
    if (!(await mayLeave(gone))) return
    setOpen((now) => now.filter((page) => !gone.includes(page.key)))
    const target = open.find((page) => page.key === at)
    if (target && gone.includes(key ?? '')) void navigate(hrefOfPage(target))
  }

  /** A page that is already open returns as the user left it. */
  const openPath = useCallback(
    (path: string) => {
      const known = latest.current.open.find((page) => page.path === path && (page.entry.keepAlive || isUnsaved(page.key)))
      void navigate(known ? hrefOfPage(known) : path)
    },
    [navigate],
  )

  const hit = useMemo(() => findMenu(menu, location.pathname), [menu, location.pathname])
  const groupId = useMe((me) => me.info?.groupId)
  const usedPath = hit?.exact && location.pathname !== homePath ? location.pathname : undefined
  useEffect(() => {
    if (usedPath) void noteUsed(groupId, usedPath)
  }, [groupId, usedPath])
  const usedCode = hit?.node.code
  useEffect(() => {
    if (usedCode) void whenCalm().then(() => reportUse(groupId, usedCode))
  }, [groupId, usedCode])
  const [lastTop, setLastTop] = useState(hit?.top.id)
  if (hit && hit.top.id !== lastTop) setLastTop(hit.top.id)
  const top = hit?.top ?? menu.find((node) => node.id === lastTop)
  const hasSide = top !== undefined && top.children.length > 0 && !(top.children.length === 1 && firstPathOf(top) === homePath)

  return (
    <div className="app">
      <button type="button" className="app-skip" onClick={() => main.current?.focus()}>
        跳到页面内容
      </button>
      <Header
        top={top}
        onModule={(node) => {
          const path = firstPathOf(node)
          if (path) openPath(path)
        }}
        onOpen={openPath}
      />
      <Suspense fallback={<SosRoom />}>
        <SosBar onOpen={openPath} />
      </Suspense>
      <MaintenanceLine nearOnly className="zg-notice zg-notice-warning app-maintenance" />
      <div className="app-middle">
        {hasSide && (
          <SideMenu
            top={top}
            current={hit?.node.path}
            folded={folded}
            onFold={(next) => {
              setFolded(next)
              void writePref('menu-folded', next)
            }}
            onOpen={openPath}
          />
        )}
        <div className="app-right">
          <PageTabs
            open={open}
            current={key}
            onClose={close}
            onRefresh={onRefresh}
            onOthers={(at) => void keepOnly(closeOthers(open, at, homePath), at)}
            onRight={(at) => void keepOnly(closeRight(open, at), at)}
          />
          <main className="app-main" ref={main} tabIndex={-1}>
            {match ? (
              <KeepAlive
                pages={kept}
                current={key}
                trail={trail}
                onTitle={onTitle}
                onClose={close}
                onLeave={onLeave}
                onRefresh={onRefresh}
              />
            ) : (
              <UnknownPage path={location.pathname} />
            )}
          </main>
        </div>
      </div>
      {exportsOpen && (
        <Suspense>
          <ExportCentre />
        </Suspense>
      )}
      <SessionWatch />
      <OtherTab />
      <UpdateHint />
    </div>
  )
}

function UnknownPage({ path }: { path: string }) {
  return (
    <div className="zg-state" style={{ paddingTop: 120 }}>
      <strong>页面不存在</strong>
      <div>{path}</div>
      <div className="acts">
        <Link to={homePath}>回首页</Link>
      </div>
    </div>
  )
}

function PageTabs({
  open,
  current,
  onClose,
  onRefresh,
  onOthers,
  onRight,
}: {
  open: readonly OpenPage[]
  current: string | undefined
  onClose: (key: string) => void
  onRefresh: (key: string) => void
  onOthers: (key: string) => void
  onRight: (key: string) => void
}) {
  const strip = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the current tab when it changes.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  const acts = (key: string) => ({
    items: [
      { key: 'refresh', label: '刷新', onClick: () => onRefresh(key) },
      { key: 'close', label: '关闭', onClick: () => onClose(key), disabled: open.find((page) => page.key === key)?.path === homePath },
      { key: 'others', label: '关闭其他', onClick: () => onOthers(key) },
      { key: 'right', label: '关闭右侧', onClick: () => onRight(key) },
    ],
  })
  const home = open.find((page) => page.path === homePath)
  return (
    <nav className="app-tabs" aria-label="已打开的页面">
      <div className="strip" ref={strip}>
        {!home && (
          <span className="tab">
            <Link to={homePath}>
              <HomeOutlined /> 首页
            </Link>
          </span>
        )}
        {open.map((page) => {
          const isHome = page.path === homePath
          return (
            <FloatingMenu key={page.key} trigger={['contextMenu']} menu={acts(page.key)}>
              <span className="tab" data-current={page.key === current ? true : undefined}>
                <Link to={hrefOfPage(page)} title={page.title} aria-current={page.key === current ? 'page' : undefined}>
                  {isHome && <HomeOutlined />} {page.title}
                </Link>
                {!isHome && (
                  <button type="button" className="zg-bare" aria-label={`关闭 ${page.title}`} onClick={() => onClose(page.key)}>
                    <CloseOutlined />
                  </button>
                )}
              </span>
            </FloatingMenu>
          )
        })}
      </div>
      {current && (
        <FloatingMenu trigger={['click']} menu={acts(current)} placement="bottomRight">
          <button type="button" className="zg-bare more" aria-label="页签操作">
            <EllipsisOutlined />
          </button>
        </FloatingMenu>
      )}
    </nav>
  )
}
