import { ArrowLeftOutlined, WarningFilled } from '@ant-design/icons'
import type { Place } from '@zhugong/contract/kit/project-rights'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { At } from './can.tsx'
import { colors } from './colors.ts'
import { DetailSkeleton, Empty, ErrorPanel } from './feedback.tsx'
import { ChildView, usePage, usePageTitle } from './page.tsx'

export interface Fact {
  label: string
  value: ReactNode
  tone?: 'danger' | 'warning' | 'fine'
}
export interface SideItem {
  /** Full path of the child page; the page's query is passed on. */
  path: string
  title: string
  count?: number | undefined
  /** Marks an entry that needs attention. */
  warning?: boolean
}

export interface DetailShellProps {
  /** Name of the item; also the tab's title. */
  title: string | undefined
  /** State tags beside the name. */
  tags?: ReactNode
  /** Project and company that the buttons of the page and its child pages are about. */
  place?: Place | undefined
  /** At most five. */
  facts?: readonly Fact[]
  actions?: ReactNode
  side?: readonly SideItem[]
  /** Column of 268 px at the right. */
  aside?: ReactNode
  loading?: boolean
  error?: unknown
  retry?: () => unknown
  /** Target of 返回 when there is no history to go back to. */
  backTo?: string
  /** Shown instead of the child page. */
  children?: ReactNode
}

/** The most important facts of an item, in two lines each. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className="zg-facts">
      {facts.map(({ label, value, tone }) => (
        <div className="zg-fact" key={label}>
          <dt>{label}</dt>
          <dd className={tone ? `tone-${tone}` : ''}>{value === '' || value === null || value === undefined ? '--' : value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shown by a detail page that was opened without an id: says where to open an item, instead of an error. */
export function NothingChosen({
  title,
  thing,
  one,
  from,
}: {
  title: string
  thing: string
  one: string
  from: { path: string; name: string }
}) {
  return (
    <DetailShell title={title}>
      <Empty text={`未选择${thing}`} hint={`从${from.name}打开${one}`}>
        <Link to={from.path}>
          <Button>去{from.name}</Button>
        </Link>
      </Empty>
    </DetailShell>
  )
}

/** Layout of a detail page: header with back button, side list, child page. */
export function DetailShell({ place, ...props }: DetailShellProps) {
  return (
    <At {...place}>
      <Shell {...props} />
    </At>
  )
}

function Shell(props: Omit<DetailShellProps, 'place'>) {
  const page = usePage()
  usePageTitle(props.title)
  const child = props.children ?? <ChildView />
  return (
    <div className="zg-page">
      <header className="zg-detail-head">
        <button type="button" className="zg-bare" onClick={page.close}>
          <ArrowLeftOutlined /> 返回
        </button>
        <h1>{props.title ?? page.entry.title}</h1>
        {props.tags}
        <Facts facts={props.facts ?? []} />
        {props.actions && <div className="zg-row zg-end">{props.actions}</div>}
      </header>
      {props.error ? (
        <ErrorPanel error={props.error} retry={props.retry} />
      ) : props.loading ? (
        <DetailSkeleton />
      ) : (
        <div className="zg-body">
          {props.side && (
            <nav className="zg-sidelist" aria-label="子页">
              {props.side.map((item) => (
                <Link
                  key={item.path}
                  to={{ pathname: item.path, search: page.search }}
                  replace
                  aria-current={page.path === item.path ? 'page' : undefined}
                >
                  {item.title}
                  {item.warning && <WarningFilled style={{ color: colors.amber }} aria-label="需要处理" />}
                  {item.count !== undefined && <span className="count">{item.count}</span>}
                </Link>
              ))}
            </nav>
          )}
          <div className="zg-column zg-scrolls">{child}</div>
          {props.aside && (
            <aside style={{ width: 268, flex: 'none', overflow: 'auto', display: 'flex', flexDirection: 'column', gap: 12 }}>
              {props.aside}
            </aside>
          )}
        </div>
      )}
    </div>
  )
}
