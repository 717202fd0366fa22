import { whyClosed } from '@zhugong/contract/access/users'
import { Activity, Suspense, useLayoutEffect, useMemo, useState } from 'react'
import { Route, Routes } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Forbidden, TableSkeleton } from '#kit/feedback.tsx'
import { useMe } from '#kit/me.ts'
import { PageContext, type PageState } from '#kit/page.tsx'
import { Boundary } from './boundary.tsx'
import { componentOf } from './lazy.tsx'
import type { OpenPage } from './tabs.ts'

export interface KeepAliveProps {
  pages: readonly OpenPage[]
  current: string | undefined
  trail: readonly string[]
  onTitle: (key: string, title: string) => void
  onClose: (key: string) => void
  onLeave: (key: string, href?: string) => void
  onRefresh: (key: string) => void
}

/**
 * The kept pages, one of them in front. A page is hidden in two steps. First it becomes inactive, so that its modals close while its
 * effects still run; then React's Activity hides it. Both happen before the next paint.
 */
export function KeepAlive({ pages, current, ...rest }: KeepAliveProps) {
  const [shown, setShown] = useState(current)
  useLayoutEffect(() => setShown(current), [current])
  return pages.map((page) => {
    const active = page.key === current
    return (
      <div key={`${page.key}#${page.visit}`} hidden={!active} className="app-page" data-path={page.path}>
        <Activity mode={active || page.key === shown ? 'visible' : 'hidden'}>
          <KeptPage page={page} active={active} {...rest} />
        </Activity>
      </div>
    )
  })
}

function KeptPage({
  page,
  active,
  trail,
  onTitle,
  onClose,
  onLeave,
  onRefresh,
}: { page: OpenPage; active: boolean } & Omit<KeepAliveProps, 'pages' | 'current'>) {
  const { entry, child, path, search, params, key } = page
  const [ownTrail, setOwnTrail] = useState(trail)
  if (active && ownTrail !== trail) setOwnTrail(trail)
  const allowed = useCan(child?.code ?? entry.code ?? { needs: 'self' })
  const Page = componentOf(entry)
  const Child = child ? componentOf(child) : undefined
  const childName = child?.name
  const state = useMemo<PageState>(
    () => ({
      entry,
      cacheKey: key,
      path,
      search,
      params,
      active,
      trail: ownTrail,
      setTitle: (title) => onTitle(key, title),
      close: () => onClose(key),
      leave: (href) => onLeave(key, href),
      child: Child ? (
        <Boundary key={childName ?? ''}>
          <Suspense fallback={<TableSkeleton />}>
            <Child />
          </Suspense>
        </Boundary>
      ) : null,
    }),
    [entry, key, path, search, params, active, ownTrail, onTitle, onClose, onLeave, Child, childName],
  )
  // Inside a page the router's hooks return the page's own location, not the address bar's.
  const contact = useMe((me) => me.info && [me.info.help.contact, me.info.help.servicePhone].filter(Boolean).join(' ')) || undefined
  const location = useMemo(() => ({ pathname: path, search, hash: '', state: null, key }), [path, search, key])
  return (
    <PageContext value={state}>
      <Boundary onRetry={() => onRefresh(key)}>
        {allowed ? (
          <Suspense fallback={<PageSkeleton />}>
            <Routes location={location}>
              <Route path="*" element={<Page />} />
            </Routes>
          </Suspense>
        ) : (
          <ClosedPage page={(child ?? entry).title} code={child?.code ?? entry.code} contact={contact} />
        )}
      </Boundary>
    </PageContext>
  )
}

/** A page that the user may not open, with the reason: missing roles, or an app that the group was not granted. */
function ClosedPage({ page, code, contact }: { page: string; code: string | readonly string[] | undefined; contact: string | undefined }) {
  const codes = code === undefined ? [] : typeof code === 'string' ? [code] : [...code]
  const { data, isPending } = useCall(whyClosed, { query: { codes } }, { quiet: true, enabled: codes.length > 0 })
  if (codes.length > 0 && isPending) return <TableSkeleton />
  return <Forbidden page={page} code={code} contact={contact} why={data?.reason ?? undefined} />
}

function PageSkeleton() {
  return (
    <div style={{ padding: '52px 12px 12px' }}>
      <div className="zg-card">
        <TableSkeleton rows={10} />
      </div>
    </div>
  )
}
