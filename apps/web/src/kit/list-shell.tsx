import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { ListContext } from './list-context.ts'
import { usePage } from './page.tsx'

/** Shown beside the title of the page inside: which of several items the page is about. */
export const TitleLead = createContext<ReactNode>(undefined)

/** Title row of 40 px: title, menu path, actions at the right. */
export function PageTitle({ title, remark, actions }: { title?: ReactNode; remark?: ReactNode; actions?: ReactNode }) {
  const { entry, trail } = usePage()
  return (
    <header className="zg-page-title">
      <h1>{title ?? entry.title}</h1>
      {useContext(TitleLead)}
      <span className="trail">{remark ?? trail.join(' / ')}</span>
      {actions && <div className="right">{actions}</div>}
    </header>
  )
}

/** What stands around every view of a page with several views. */
export interface Around {
  actions: ReactNode
  strip: ReactNode
  views: ReactNode
}

export interface ListShellProps {
  title?: ReactNode
  remark?: ReactNode
  /** Left side of the table's toolbar: one primary button first. */
  actions?: ReactNode
  /** Right side of the title row. */
  titleActions?: ReactNode
  /** A `<FigureStrip>`. */
  strip?: ReactNode
  /** A `<SidePanel>`. */
  left?: ReactNode
  right?: ReactNode
  /** Above the table: a `<Notice>`, tabs. */
  above?: ReactNode
  children: ReactNode
}

export function ListShell({ title, remark, actions, titleActions, strip, left, right, above, children }: ListShellProps) {
  const context = useMemo(() => ({ actions }), [actions])
  return (
    <div className="zg-page">
      <PageTitle title={title} remark={remark} actions={titleActions} />
      <div className="zg-body">
        {left}
        <div className="zg-column">
          {strip}
          {above}
          <ListContext value={context}>{children}</ListContext>
        </div>
        {right}
      </div>
    </div>
  )
}

/** Layout of a page without a list: title row and a scrolling body. */
export function PageShell({
  title,
  remark,
  actions,
  children,
  fill,
}: {
  title?: ReactNode
  remark?: ReactNode
  actions?: ReactNode
  children: ReactNode
  fill?: boolean
}) {
  return (
    <div className="zg-page">
      <PageTitle title={title} remark={remark} actions={actions} />
      {/* The scrolling region must be reachable by keyboard, even if it contains nothing focusable. */}
      <div className={`zg-body ${fill ? '' : 'zg-body-scroll'}`} tabIndex={fill ? undefined : 0}>
        {children}
      </div>
    </div>
  )
}
