import { CheckCircleFilled, CloseCircleFilled, CloseOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { type ReactNode, useId } from 'react'
import { colors } from './colors.ts'
import { type Fact, Facts } from './detail-shell.tsx'
import { Card, DetailSkeleton, ErrorPanel, Tag, type Tone } from './feedback.tsx'
import { day, time, timeOfDay } from './format.ts'
import { Upload } from './inputs.tsx'
import { Thumb } from './viewers.tsx'

/**
 * A piece of work that people hand on to each other: an alarm, a review, a rectification. The shell has the head and two columns; what
 * stands in them is the page's own, put together of the parts below or of others.
 */
export function WorkItem({
  lead,
  title,
  tags,
  facts = [],
  actions,
  onClose,
  waiting = false,
  error,
  retry,
  side,
  children,
}: {
  /** Before the name: how grave it is. */
  lead?: ReactNode
  title: ReactNode
  /** Its states, beside the name. */
  tags?: ReactNode
  /** At most five. */
  facts?: readonly Fact[]
  /** What leads elsewhere; what changes the work stands in `Handling`. */
  actions?: ReactNode
  onClose: () => void
  /** Nothing is known of it yet. */
  waiting?: boolean
  error?: unknown
  retry?: () => unknown
  /** Its course and its handling. */
  side?: ReactNode
  /** What it is about: lines, evidence, drawings. */
  children?: ReactNode
}) {
  return (
    <>
      <header className="zg-work-head">
        {!waiting && (
          <>
            {lead}
            <h2>{title}</h2>
            {tags}
            <Facts facts={facts} />
          </>
        )}
        <span className="right">
          {!waiting && actions}
          <Button type="text" icon={<CloseOutlined />} aria-label="关闭" onClick={onClose} />
        </span>
      </header>
      {error ? (
        <ErrorPanel error={error} retry={retry} />
      ) : waiting ? (
        <DetailSkeleton />
      ) : (
        <div className="zg-work-body">
          <div className="zg-work-main">{children}</div>
          <div className="zg-work-side">{side}</div>
        </div>
      )}
    </>
  )
}

export interface Line {
  key: string
  label: string
  ok: boolean
  text: string
}

/** What was looked at, and how each stands. */
export function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <Card title={title} remark={`${lines.filter((one) => one.ok).length} / ${lines.length}`}>
      <ul className="zg-work-lines">
        {lines.map(({ key, label, ok, text }) => (
          <li key={key}>
            {ok ? <CheckCircleFilled className="tone-fine" /> : <CloseCircleFilled className="tone-danger" />} {label}：
            <span className={ok ? 'zg-2' : 'tone-danger'}>{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export interface Round {
  verdict: string
  tone: Tone
  /** Who decided, and when. */
  by: string
  text?: string | null | undefined
}

/** How often it went to and fro, and what was said each time. */
export function Rounds({ title, rounds }: { title: string; rounds: readonly Round[] }) {
  if (rounds.length === 0) return null
  return (
    <Card title={title}>
      <ol className="zg-work-rounds">
        {rounds.map(({ verdict, tone, by, text }) => (
          <li key={`${verdict}${by}`}>
            <Tag tone={tone}>{verdict}</Tag> <span className="zg-2">{by}</span>
            {text && <p>{text}</p>}
          </li>
        ))}
      </ol>
    </Card>
  )
}

export interface Signature {
  role: string
  name: string | null
  /** As it is shown. */
  at: string
}

/** Who stands for what, and since when. */
export function Signatures({ signed }: { signed: readonly Signature[] }) {
  const known = signed.filter((one) => one.name)
  if (known.length === 0) return null
  return (
    <Card title="经手人">
      <dl className="zg-work-signed">
        {known.map(({ role, name, at }) => (
          <div key={role}>
            <dt className="zg-2">{role}</dt>
            <dd>{name}</dd>
            <time className="zg-2">{at}</time>
          </div>
        ))}
      </dl>
    </Card>
  )
}

export interface Step {
  id: string
  /** Epoch milliseconds. */
  time: number
  icon: ReactNode
  color: string
  title: string
  lines: readonly { text: string; bad: boolean }[]
  /** More of the same, shown on demand. */
  folded?: readonly { text: string; bad: boolean }[] | undefined
}

const failed = colors.danger

/** What happened, in its order; `next` is what will happen by itself. */
export function Timeline({ steps, next }: { steps: readonly Step[]; next?: ReactNode }) {
  const sameDay = new Set(steps.map((one) => day(one.time))).size <= 1
  return (
    <Card title="经过" remark={`${steps.length} 步，全部留痕`}>
      <ol className="zg-work-line">
        {steps.map(({ id, time: at, icon, color, title, lines, folded = [] }) => (
          <li key={id}>
            <time title={time(at)}>{sameDay ? timeOfDay(at) : time(at).slice(5, 16)}</time>
            <i style={{ background: lines.length > 0 && lines.every((line) => line.bad) ? failed : color }}>{icon}</i>
            <div>
              <b>{title}</b>
              {lines.map((line) => (
                <span key={line.text} className={line.bad ? 'tone-danger' : ''}>
                  {line.text}
                </span>
              ))}
              {folded.length > 0 && (
                <details>
                  <summary>较早 {folded.length} 条</summary>
                  {folded.map((line) => (
                    <span key={line.text} className={line.bad ? 'tone-danger' : ''}>
                      {line.text}
                    </span>
                  ))}
                </details>
              )}
            </div>
          </li>
        ))}
        {next}
      </ol>
    </Card>
  )
}

/** What was done, with its pictures. */
export function Evidence({ text, photos, name }: { text: string | null; photos: readonly string[]; name: string }) {
  if (!text && photos.length === 0) return null
  return (
    <div className="zg-work-done">
      {text && <p>{text}</p>}
      <div className="zg-row zg-wrap">
        {photos.map((one) => (
          <Thumb key={one} src={one} name={name} width={72} height={54} />
        ))}
      </div>
    </div>
  )
}

interface Asked<Value> {
  label: string
  value: Value
  onChange: (value: Value) => void
  /** Said at the field. */
  problem?: string | undefined
}

/** Words that an action asks for. */
export function AskedText({ label, value, onChange, problem, hint }: Asked<string> & { hint: string }) {
  const id = useId()
  return (
    <>
      <AskedLabel id={id} label={label} required />
      <Input.TextArea
        id={id}
        rows={3}
        maxLength={500}
        placeholder={hint}
        value={value}
        status={problem ? 'error' : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem && <small className="tone-danger">{problem}</small>}
    </>
  )
}

/** Pictures that an action asks for. */
export function AskedPhotos({ label, value, onChange, problem, required }: Asked<string[]> & { required: boolean }) {
  const id = useId()
  return (
    <>
      <AskedLabel id={id} label={label} required={required} />
      <Upload id={id} value={value} onChange={onChange} max={6} />
      {problem && <small className="tone-danger">{problem}</small>}
    </>
  )
}

function AskedLabel({ id, label, required }: { id: string; label: string; required: boolean }) {
  return (
    <label className="zg-label" htmlFor={id}>
      {label}
      {required && (
        <span className="must" aria-hidden="true">
          *
        </span>
      )}
    </label>
  )
}

/** What somebody may do with the work now. */
export interface Offer {
  label: string
  run: () => unknown
  /** What brings the work forward in the usual way: never told from its place among the others. */
  main?: boolean
  danger?: boolean
}

/** What this person may do now, and nothing else. Without any, why there is none. */
export function Handling({
  remark,
  offers,
  busy,
  none,
  children,
}: {
  remark?: string | undefined
  offers: readonly Offer[]
  busy: boolean
  none: string
  /** What was done, and the fields that an action asks for. */
  children?: ReactNode
}) {
  return (
    <Card title="处理" remark={remark} className="zg-work-handling">
      {children}
      <div className="zg-work-acts">
        {offers.map(({ label, run, main = false, danger = false }) => (
          <Button
            key={label}
            size="large"
            danger={danger}
            loading={busy}
            type={main ? 'primary' : undefined}
            block={main}
            onClick={() => void run()}
          >
            {label}
          </Button>
        ))}
        {offers.length === 0 && <p className="zg-2">{none}</p>}
      </div>
    </Card>
  )
}
