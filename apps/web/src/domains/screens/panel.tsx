import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { age, timeOfDay } from '#kit/format.ts'
import type { Feed } from './hub.ts'
import { said, useWall } from './wall-state.ts'

interface Props {
  title: string
  /** Data of the panel; the oldest decides the age shown. */
  feeds: readonly Feed[]
  everyMs: number
  /** Text if there is nothing to show. */
  empty?: string | false | undefined
  remark?: ReactNode
  bare?: boolean
  /** The panel follows the selected district. Other panels are marked 全辖区 while a district is selected. */
  narrows?: boolean
  children: ReactNode
}

/** Frame of a panel: skeleton until the first answer, then the last data, greyed with its age when stale. */
export function Panel({ title, feeds, everyMs, empty, remark, bare, narrows, children }: Props) {
  const { now, area } = useWall()
  const waiting = feeds.find((feed) => feed.data === undefined)
  const at = feeds.length > 0 && !waiting ? Math.min(...feeds.map((feed) => feed.at ?? 0)) : undefined
  const error = feeds.find((feed) => feed.error)?.error
  const stale = at !== undefined && now - at > 3 * everyMs
  return (
    <section className={`wall-panel${bare ? ' wall-bare' : ''}${stale ? ' wall-stale' : ''}`} aria-label={title}>
      {!bare && (
        <>
          <Corners />
          <header className="wall-head">
            <h2>{title}</h2>
            {area && !narrows && (
              <span className="wall-whole" title="此面板不随所选区县收窄">
                全辖区
              </span>
            )}
            {remark && !waiting && <span className="wall-remark">{remark}</span>}
            <span className={stale ? 'wall-chip' : 'wall-at'} title={error}>
              {error && !waiting && <i className="wall-mark" role="img" aria-label={error} />}
              {stale ? `止于 ${timeOfDay(at)}，${age(at, now)}` : at ? `更新 ${timeOfDay(at)}` : ''}
            </span>
          </header>
        </>
      )}
      <div className="wall-body">
        {waiting ? (
          waiting.error ? (
            <p className="wall-empty">{waiting.error}</p>
          ) : (
            <Bones />
          )
        ) : empty ? (
          <p className="wall-empty">{empty}</p>
        ) : (
          children
        )}
      </div>
    </section>
  )
}

/** Placeholder of a panel whose app is not granted to the group. */
export function ClosedPanel({ title }: { title: string }) {
  return (
    <section className="wall-panel" aria-label={title}>
      <Corners />
      <header className="wall-head">
        <h2>{title}</h2>
      </header>
      <div className="wall-body">
        <p className="wall-empty">未开通，所属应用不在本机构的授权中</p>
      </div>
    </section>
  )
}

const Corners = () => (
  <svg className="wall-corners" aria-hidden="true">
    <path className="wall-corner-tl" d="M1 15V1H64" />
    <g className="wall-corner-br">
      <svg x="100%" y="100%" overflow="visible">
        <path d="M-1 -15V-1H-64" />
      </svg>
    </g>
    <svg x="100%" overflow="visible">
      <path d="M-15 0L0 15" />
    </svg>
    <svg y="100%" overflow="visible">
      <path d="M0 -15L15 0" />
    </svg>
  </svg>
)

const Bones = () => (
  <div className="wall-bones" role="status" aria-label="加载中">
    <i />
    <i />
    <i />
    <i />
  </div>
)

export type Tone = 'plain' | 'accent' | 'fine' | 'warning' | 'alarm' | 'muted'

/** A figure of a wall; `--` if unknown. */
export function Digit({
  label,
  value,
  unit,
  tone = 'plain',
  note,
}: {
  label: string
  value: number | null | undefined
  unit?: string
  tone?: Tone
  note?: string | undefined
}) {
  return (
    <div className="wall-digit">
      <span>{label}</span>
      <b className={`wall-${tone}`}>
        {said(value, unit)}
        {unit && value !== null && value !== undefined && <small>{unit}</small>}
      </b>
      {note && <em>{note}</em>}
    </div>
  )
}

/** A percentage as a bar; `mark` is the position of a limit. */
export function Bar({ share, tone = 'accent', mark }: { share: number | null | undefined; tone?: Tone; mark?: number }) {
  const wide = Math.max(0, Math.min(100, share ?? 0))
  return (
    <svg className="wall-bar" aria-hidden="true">
      <rect className="wall-bar-ground" width="100%" height="8" rx="1" />
      <rect className={`wall-fill-${tone}`} width={`${wide}%`} height="8" rx="1" />
      {mark !== undefined && <rect className="wall-bar-mark" x={`${mark}%`} y="-2" width="2" height="12" />}
    </svg>
  )
}

const levelWords = ['', '重大', '较大', '一般', '低'] as const
export const Level = ({ level }: { level: number }) => (
  <i className={`wall-level wall-level-${level}`} role="img" aria-label={`${level} 级${levelWords[level] ?? ''}`}>
    {level}
  </i>
)

/** One-line rows that a panel of the given height shows at once; further rows rotate. */
export const rollsFrom = (h: number): number => h * 4 - 1

/** Rows that do not fit rotate slowly; the rotation pauses while the pointer is on them. */
export function Rolling({ rows, fits, children }: { rows: number; fits: number; children: ReactNode }) {
  const copy = useRef<HTMLDivElement>(null)
  // The copy repeats the rows for the eye only: a click works on it, the keyboard and screen readers do not reach it.
  useLayoutEffect(() => {
    for (const one of copy.current?.querySelectorAll<HTMLElement>('a, button, [tabindex]') ?? []) one.tabIndex = -1
  })
  if (rows <= fits) return <div className={rows * 2 < fits ? 'wall-rows wall-few' : 'wall-rows'}>{children}</div>
  return (
    <div className="wall-rolling">
      <div className="wall-rolled" style={rollTime(rows)}>
        <div className="wall-rows">{children}</div>
        <div ref={copy} className="wall-rows" aria-hidden="true">
          {children}
        </div>
      </div>
    </div>
  )
}
const rollTime = (rows: number) => ({ animationDuration: `${rows * 4}s` })
