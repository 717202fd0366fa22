import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  InfoCircleFilled,
  ReloadOutlined,
  SyncOutlined,
  ToolOutlined,
  WarningFilled,
} from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CallState } from './call.ts'
import { colors } from './colors.ts'
import { CallError, isSilent } from './failure.ts'
import { isRiskLevel, riskLevels, time } from './format.ts'
import { switchScope, useMe } from './me.ts'
import { notify } from './notify.ts'
import { Spark } from './spark.tsx'

export type Tone = 'fine' | 'warning' | 'danger' | 'running' | 'neutral' | 'maintenance'

const toneIcons: Record<Tone, ReactNode> = {
  fine: <CheckCircleFilled />,
  warning: <WarningFilled />,
  danger: <ClockCircleFilled />,
  running: <SyncOutlined />,
  neutral: null,
  maintenance: <ToolOutlined />,
}

/** A state as text on a tinted background. `icon` replaces the icon of the tone, `false` removes it. */
export function Tag({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: ReactNode | false; children: ReactNode }) {
  return (
    <span className={`zg-tag zg-tag-${tone}`}>
      {icon === false ? null : (icon ?? toneIcons[tone])}
      {children}
    </span>
  )
}

/** Risk level 1 to 4: number, text and colour. */
export function RiskBadge({ level, word = true }: { level: number | string | null | undefined; word?: boolean }) {
  if (!isRiskLevel(level)) return <span className="zg-2">--</span>
  const risk = riskLevels[Number(level) as keyof typeof riskLevels]
  const edge = Number(level) === 3 ? { boxShadow: `inset 0 0 0 1px ${colors.amber}` } : {}
  return (
    <span className="zg-risk" title={`${level} 级 ${risk.name}`}>
      <b style={{ background: risk.ground, color: risk.ink, ...edge }}>{level}</b>
      {word && risk.name}
    </span>
  )
}

export interface FigureProps {
  label: string
  value: ReactNode
  unit?: string
  /** One line of context: compared with what, since when. */
  remark?: ReactNode
  remarkTone?: 'danger' | 'warning' | 'fine'
  tone?: 'danger' | 'warning' | 'fine'
  trend?: readonly number[]
  /** Link to the filtered list behind the figure. */
  href?: string
}

const sparkColors = { danger: colors.danger, warning: colors.amber, fine: colors.fine }

export function Figure({ label, value, unit, remark, remarkTone, tone, trend, href }: FigureProps) {
  const inside = (
    <>
      <div className="zg-shrink">
        <div className="label">{label}</div>
        <div className="line">
          <span className={`value ${tone ? `tone-${tone}` : ''}`}>{value ?? '--'}</span>
          {unit && <span className="unit">{unit}</span>}
          {remark && <span className={`remark ${remarkTone ? `tone-${remarkTone}` : ''}`}>{remark}</span>}
        </div>
      </div>
      {trend && <Spark values={trend} color={tone ? sparkColors[tone] : undefined} />}
    </>
  )
  return href ? (
    <Link className="zg-figure" to={href}>
      {inside}
    </Link>
  ) : (
    <div className="zg-figure">{inside}</div>
  )
}

/**
 * At most four or five figures in one strip. While loading, and after an error, it shows only placeholders of the same size. A remark, a
 * colour or a unit would suggest that the value is zero.
 */
export function FigureStrip({ items, loading }: { items: readonly FigureProps[]; loading?: boolean }) {
  return (
    <div className="zg-strip">
      {items.map((item) => (
        <Figure key={item.label} {...(loading ? { label: item.label, value: <Bone width={60} />, href: item.href } : item)} />
      ))}
    </div>
  )
}

export function Bone({ width = 80, height = 10 }: { width?: number | string; height?: number }) {
  return <span className="zg-bone" style={{ display: 'inline-block', width, height }} />
}

export function TableSkeleton({ rows = 8, columns = 6 }: { rows?: number; columns?: number }) {
  return (
    <div aria-busy="true" role="status" aria-label="加载中">
      {Array.from({ length: rows }, (_, r) => (
        <div className="zg-skeleton-row" key={r}>
          {Array.from({ length: columns }, (_, c) => (
            <Bone key={c} width={`${6 + ((r * 7 + c * 13) % 9)}%`} />
          ))}
        </div>
      ))}
    </div>
  )
}

export function DetailSkeleton() {
  return (
    <div
      className="zg-card"
      style={{ margin: 12, padding: 16, display: 'grid', gap: 16 }}
      aria-busy="true"
      role="status"
      aria-label="加载中"
    >
      {[40, 70, 55, 80, 30].map((width) => (
        <Bone key={width} width={`${width}%`} height={12} />
      ))}
    </div>
  )
}

function Drawing({ broken }: { broken?: boolean }) {
  return (
    <svg width="88" height="44" viewBox="0 0 88 44" fill="none" stroke={colors.primarySoft} strokeWidth="1.6" aria-hidden="true">
      <path d="M4 42h80" stroke={colors.border} />
      {broken ? (
        <>
          <path d="M14 42V20h18v22M56 42V20h18v22M23 20v-8h14M65 20v-8H51" />
          <path d="m41 8 6 8m0-8-6 8" stroke={colors.danger} strokeWidth="2" />
        </>
      ) : (
        <>
          <path d="M22 42V8m6 34V8M22 34l6-6m-6-2 6-6m-6-2 6-6M12 8h58M25 2 12 8m13-6 40 6M60 8v14" />
          <path d="M52 22h16v9H52z" fill={colors.warningLine} stroke="none" />
          <path d="M54 35h12v7H54z" strokeDasharray="2 2" />
        </>
      )}
    </svg>
  )
}

/** Empty state: says why nothing is shown and what to do next. */
export function Empty({
  text = '暂无数据',
  hint,
  children,
  small,
}: {
  text?: string
  hint?: ReactNode
  children?: ReactNode
  small?: boolean
}) {
  return (
    <div className="zg-state">
      {!small && <Drawing />}
      <strong>{text}</strong>
      {hint && <div>{hint}</div>}
      {children && <div className="acts">{children}</div>}
    </div>
  )
}

/**
 * Renders its children when all queries have data: a skeleton while one is loading, the error with a retry button if one failed. Put counts
 * and "nothing found" texts inside, so that they never appear before the data is known.
 */
export function Known({ of, rows = 3, children }: { of: CallState | readonly CallState[]; rows?: number; children: ReactNode }) {
  const wanted = ('data' in of ? [of] : of).filter((one) => one.data === undefined)
  const failed = wanted.find((one) => one.error && !one.isFetching)
  if (failed) return <ErrorPanel error={failed.error} retry={failed.refetch} />
  if (wanted.some((one) => one.isFetching)) return <TableSkeleton rows={rows} columns={3} />
  return children
}

/** An error of this panel alone. A missing permission is shown as 无权访问. */
export function ErrorPanel({ error, retry, title = '加载失败' }: { error: unknown; retry?: () => unknown; title?: string }) {
  // A link from a message or another tab may lead to a record of a project that the header excludes.
  const chosen = useMe((me) => (me.info?.groupsType === groupTypes.project ? undefined : me.project))
  const elsewhere = error instanceof CallError && error.missing ? chosen : undefined
  if (error instanceof CallError && error.forbidden)
    return <Forbidden {...(isClosed(error.detail) ? { why: error.message } : { message: error.message, code: codeIn(error.detail) })} />
  if (error instanceof CallError && isSilent(error.failure)) return null
  const text = error instanceof CallError ? error.message || '请求超时' : '页面出错'
  const id = error instanceof CallError ? error.requestId : undefined
  const at = error instanceof CallError ? error.at : Date.now()
  return (
    <div className="zg-state" role="alert">
      <Drawing broken />
      <strong>{title}</strong>
      <div>{text}</div>
      <div>{id ? `编号 ${id.slice(0, 13)}，${time(at)}` : time(at)}</div>
      {elsewhere && <div>当前只看「{elsewhere.name}」，它可能属于其他项目</div>}
      <div className="acts">
        {elsewhere && <Button onClick={() => void switchScope({})}>查看全部项目</Button>}
        {retry && (
          <Button type="primary" icon={<ReloadOutlined />} onClick={() => void retry()}>
            重试
          </Button>
        )}
        {id && (
          <Button
            onClick={() => {
              void navigator.clipboard.writeText(id).then(() => notify.success('已复制编号'))
            }}
          >
            复制编号
          </Button>
        )}
      </div>
    </div>
  )
}

function codeIn(detail: unknown): string | undefined {
  if (typeof detail !== 'object' || detail === null) return undefined
  const { code, needs } = detail as { code?: unknown; needs?: unknown }
  const found = code ?? needs
  return Array.isArray(found) ? found.join('、') : typeof found === 'string' ? found : undefined
}

/** Refused because the group was not granted the function, not because of a role: the message already contains reason and remedy. */
const isClosed = (detail: unknown): boolean => typeof detail === 'object' && detail !== null && 'closed' in detail

export function Forbidden({
  why,
  code,
  message,
  page,
  contact,
}: {
  /** A reason other than roles; shown alone. */
  why?: string | undefined
  code?: string | readonly string[] | undefined
  message?: string
  page?: string
  contact?: string | undefined
}) {
  if (why)
    return (
      <div className="zg-state" role="alert">
        <strong>无权访问</strong>
        {page && <div>“{page}”没有开放</div>}
        <div>{why}</div>
      </div>
    )
  return (
    <div className="zg-state" role="alert">
      <strong>无权访问</strong>
      <div>{page ? `没有“${page}”的查看权限` : message}</div>
      {code && !message?.includes(String(code)) && <div>缺少权限 {typeof code === 'string' ? code : code.join('、')}</div>}
      <div>可向{contact ? ` ${contact} ` : '本组管理员'}申请</div>
    </div>
  )
}

const noticeIcons = { warning: <WarningFilled />, danger: <CloseCircleFilled />, fine: <CheckCircleFilled />, info: <InfoCircleFilled /> }

/** A line across the page: what happens, when, and at the right what to do. */
export function Notice({
  tone,
  children,
  actions,
}: {
  tone: 'warning' | 'danger' | 'fine' | 'info'
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={`zg-notice zg-notice-${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      {noticeIcons[tone]}
      <div>{children}</div>
      {actions && <div className="right">{actions}</div>}
    </div>
  )
}

export function Card({
  title,
  remark,
  actions,
  children,
  flush,
  scrolls,
  className = '',
  style,
}: {
  title?: ReactNode
  remark?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** No padding inside, for tables and lists. */
  flush?: boolean
  /** The height is fixed and the content may be taller, so the panel can be scrolled by keyboard. */
  scrolls?: boolean
  className?: string
  style?: React.CSSProperties
}) {
  return (
    <section className={`zg-card ${className}`} style={style} tabIndex={scrolls ? 0 : undefined}>
      {title && (
        <div className="zg-card-head">
          <h2>{title}</h2>
          {remark && <span className="remark">{remark}</span>}
          {actions && <div className="right">{actions}</div>}
        </div>
      )}
      {flush ? children : <div className="zg-card-body">{children}</div>}
    </section>
  )
}

/** Dark panel of the live device pages. */
export function Panel({
  title,
  remark,
  actions,
  children,
  grows,
}: {
  title: ReactNode
  remark?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Fills the space that its neighbours leave. */
  grows?: boolean
}) {
  return (
    <section className={`zg-panel zg-dark ${grows ? 'zg-panel-grows' : ''}`}>
      <div className="zg-panel-head">
        <h2>{title}</h2>
        {remark && <span className="remark">{remark}</span>}
        {actions && <div className="right">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** Pairs of label and value, several per row; empty values as `--`. */
export function Pairs({ items }: { items: readonly { label: string; value: ReactNode; wide?: boolean }[] }) {
  return (
    <dl className="zg-pairs">
      {items.map(({ label, value, wide }) => (
        <div key={label} className={wide ? 'zg-span-all' : undefined}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' ? <span className="zg-2">--</span> : value}</dd>
        </div>
      ))}
    </dl>
  )
}
