import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router'
import { sessionOverText } from '#kit/failure.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { showFailure } from '#kit/http.ts'
import { firstLoad, forget, markMenu, reload, setProject, useMe } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageContext } from '#kit/page.tsx'
import { cacheKeyOf } from '#kit/pages.ts'
import { askSiblings, clearStorage, currentSession, localKeys, lossTarget, onSessionLost, takeDisplayKey } from '#kit/session.ts'
import { readStartPage, startOf } from '#kit/start-page.ts'
import { forgetAllUnsaved, unsavedTitles } from '#kit/unsaved.ts'
import { Boundary } from './boundary.tsx'
import type { Entered } from './entered.ts'
import { fetchAhead, queries, shell } from './fetch-ahead.ts'
import { decide, firstLoadPollMs, loginHref, statusOf, until } from './guard.ts'
import { componentOf } from './lazy.tsx'
import { revoke } from './revocation.ts'
import { findPage } from './routes.ts'

const FactorSetup = lazy(() => import('#domains/settings/public.tsx').then((file) => ({ default: file.FactorSetup })))
const PasswordDialog = lazy(() => import('#domains/identity/public.tsx').then((file) => ({ default: file.PasswordDialog })))
const AgainDialog = lazy(() => import('#domains/identity/public.tsx').then((file) => ({ default: file.AgainDialog })))
const NoApps = lazy(() => import('./no-apps.tsx'))

/** How long the previous page stays while the next page's chunks load, before a skeleton is shown. */
const partsMs = 200

type Gate =
  | { is: 'waiting' }
  | { is: 'failed'; error: unknown }
  | { is: 'empty' }
  | { is: 'password' }
  | { is: 'factor' }
  | { is: 'in'; entered: Entered }

export function Router() {
  const location = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const [gate, setGate] = useState<Gate>({ is: 'waiting' })
  const [attempt, setAttempt] = useState(0)
  /** The session expired while a form has unsaved input: a dialog asks for the password. */
  const [again, setAgain] = useState(false)

  const leave = useCallback(
    (reason: 'expired' | 'logout') => {
      const groupsType = localStorage.getItem(localKeys.groupsType)
      const target = lossTarget(groupsType, localStorage.getItem(localKeys.loginPath))
      forget()
      if (reason === 'expired') notify.error(sessionOverText)
      const { pathname, search } = window.location
      void navigate(reason === 'expired' ? loginHref(target, pathname, search) : target, { replace: true })
    },
    [navigate],
  )
  useEffect(
    () =>
      onSessionLost((reason) => {
        if (reason === 'expired' && unsavedTitles().length > 0 && useMe.getState().info) setAgain(true)
        else leave(reason)
      }),
    [leave],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per navigation (`location.key`) and per retry (`attempt`).
  useEffect(() => {
    const stop = new AbortController()
    void enter(location, stop.signal)
    return () => stop.abort()
  }, [location.key, location.pathname, location.search, attempt])

  async function enter(to: Location, signal: AbortSignal): Promise<void> {
    const match = findPage(to.pathname)
    const auth = match ? (match.entry.auth ?? 'shell') : undefined
    useMe.setState({ routerStatus: statusOf(type) })
    if (auth === 'public') {
      // Cleared before the page renders, because the page then stores its own path as login path.
      if (!match?.entry.keepsSession && (gate.is !== 'in' || gate.entered.location.pathname !== to.pathname)) {
        clearStorage()
        forget()
      }
      document.title = match?.entry.title ?? ''
      setGate({ is: 'in', entered: { location: to, match, trail: [] } })
      return
    }
    if (match?.entry.openByKey && takeDisplayKey(to.hash)) {
      document.title = match.entry.title
      setGate({ is: 'in', entered: { location: to, match, trail: [] } })
      return
    }
    await askSiblings()
    if (signal.aborted) return
    const decision = decide({
      path: to.pathname,
      search: to.search,
      auth,
      session: currentSession(),
      groupsType: localStorage.getItem(localKeys.groupsType),
      loginPath: localStorage.getItem(localKeys.loginPath),
      // Without network nobody can log in again: what the device keeps stays readable to whoever was logged in.
      now: navigator.onLine ? Date.now() : 0,
    })
    if (decision.to === 'login') {
      void navigate(decision.href, { replace: true })
      return
    }
    if (useMe.getState().load !== 'done') {
      if (gate.is !== 'in') setGate({ is: 'waiting' })
      firstLoad()
      const parts = fetchAhead(to.pathname)
      try {
        await until(() => useMe.getState().load !== 'running', firstLoadPollMs, { signal, hint: useMe.subscribe })
      } catch {
        return
      }
      const { load, error } = useMe.getState()
      if (load === 'failed') setGate({ is: 'failed', error })
      if (load !== 'done') return
      await parts
    } else await fetchAhead(to.pathname, partsMs)
    if (signal.aborted) return
    const { info, menu } = useMe.getState()
    if (info?.mustChangePassword) {
      document.title = '修改密码'
      setGate({ is: 'password' })
      return
    }
    if (info?.mustSetSecondFactor) {
      document.title = '启用动态口令'
      setGate({ is: 'factor' })
      return
    }
    if (to.pathname === '/') {
      setProject(undefined)
      const target = info?.groupId ? startOf(menu, await readStartPage(info.groupId)) : '/index'
      if (signal.aborted) return
      if (target) void navigate(target, { replace: true })
      else {
        document.title = '入口'
        setGate({ is: 'empty' })
      }
      return
    }
    if (match?.entry.redirect) {
      void navigate({ pathname: match.entry.redirect, search: to.search }, { replace: true })
      return
    }
    revoke()
    const trail = markMenu(to.pathname)
    document.title = match?.entry.title ?? '页面不存在'
    setGate({ is: 'in', entered: { location: to, match, trail } })
  }

  if (gate.is === 'failed') {
    return (
      <div style={{ paddingTop: '20vh' }}>
        <ErrorPanel error={gate.error} retry={() => setAttempt((n) => n + 1)} />
      </div>
    )
  }
  if (gate.is === 'waiting') return <Splash />
  if (gate.is === 'empty') {
    return (
      <Suspense fallback={<Splash />}>
        <NoApps />
      </Suspense>
    )
  }
  const Queries = componentOf(queries)
  if (gate.is === 'password' || gate.is === 'factor') {
    const enterAnew = () =>
      void reload()
        .catch(showFailure)
        .then(() => setAttempt((n) => n + 1))
    return (
      <Suspense fallback={<Splash />}>
        <Queries>{gate.is === 'password' ? <PasswordDialog forced onClose={enterAnew} /> : <FactorSetup onDone={enterAnew} />}</Queries>
      </Suspense>
    )
  }
  const { entered } = gate
  const auth = entered.match?.entry.auth ?? 'shell'
  if (auth === 'shell') {
    const Shell = componentOf(shell)
    return (
      <Suspense fallback={<Splash />}>
        <Shell entered={entered} />
        {again && (
          <Suspense fallback={null}>
            <AgainDialog
              onIn={() => setAgain(false)}
              onLeave={() => {
                setAgain(false)
                forgetAllUnsaved()
                clearStorage()
                leave('expired')
              }}
            />
          </Suspense>
        )}
      </Suspense>
    )
  }
  return <Alone key={entered.match?.entry.name ?? ''} entered={entered} />
}

/** A page outside the shell. */
function Alone({ entered }: { entered: Entered }) {
  const navigate = useNavigate()
  const { location, match, trail } = entered
  if (!match) return null
  const { entry, params } = match
  const Page = componentOf(entry)
  const Queries = componentOf(queries)
  const { pathname, search } = location
  return (
    <PageContext
      value={{
        entry,
        cacheKey: cacheKeyOf(entry, pathname, new URLSearchParams(search)),
        path: pathname,
        search,
        params,
        active: true,
        trail,
        setTitle: (title) => {
          document.title = title
        },
        close: () => void navigate('/'),
        leave: (href) => void navigate(href ?? '/'),
        child: null,
      }}
    >
      <Boundary>
        <Suspense fallback={entry.auth === 'public' ? <Splash /> : <DetailSkeleton />}>
          {entry.module === 'identity' ? (
            <Page />
          ) : (
            <Queries>
              <Page />
            </Queries>
          )}
        </Suspense>
      </Boundary>
    </PageContext>
  )
}

function Splash() {
  return (
    <output className="app-splash" aria-label="加载中">
      <img src="/logo.svg" alt="" width="48" height="48" />
    </output>
  )
}
