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
 * The detail page of a work item that several people process: an alarm, a review, a rectification. The shell has the header and two
 * columns; the page fills them with the parts below or its own.
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
  /** Before the name: its severity. */
  lead?: ReactNode
  title: ReactNode
  /** State tags beside the name. */
  tags?: ReactNode
  /** At most five facts. */
  facts?: readonly Fact[]
  /** Links to other pages; actions belong in `Handling`. */
  actions?: ReactNode
  onClose: () => void
  /** Still loading. */
  waiting?: boolean
  error?: unknown
  retry?: () => unknown
  /** Left column: timeline and handling. */
  side?: ReactNode
  /** Right column: charts, evidence, drawings. */
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

/** The checked items, each with its state. */
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

/** Rounds of submission and answer. */
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
  /** Formatted time. */
  at: string
}

/** The people responsible, and since when. */
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
  /** Further content, shown on demand. */
  folded?: readonly { text: string; bad: boolean }[] | undefined
}

const failed = colors.danger

/** Events in order of time; `next` is what will happen automatically. */
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

/** A measure taken, with its pictures. */
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

interface ItemFieldProps<Value> {
  label: string
  value: Value
  onChange: (value: Value) => void
  /** The validation error of the field. */
  problem?: string | undefined
}

/** A text field that an action requires. */
export function ItemText({ label, value, onChange, problem, hint }: ItemFieldProps<string> & { hint: string }) {
  const id = useId()
  return (
    <>
      <ItemLabel id={id} label={label} required />
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

/** A picture field that an action requires. */
export function ItemPhotos({ label, value, onChange, problem, required }: ItemFieldProps<string[]> & { required: boolean }) {
  const id = useId()
  return (
    <>
      <ItemLabel id={id} label={label} required={required} />
      <Upload id={id} value={value} onChange={onChange} max={6} />
      {problem && <small className="tone-danger">{problem}</small>}
    </>
  )
}

function ItemLabel({ id, label, required }: { id: string; label: string; required: boolean }) {
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

/** An action offered to the user. */
export interface ItemAction {
  label: string
  run: () => unknown
  /** The usual next step: drawn as the primary button. */
  main?: boolean
  danger?: boolean
}

/** The actions the user may take now; without any, the reason. */
export function Handling({
  remark,
  actions,
  busy,
  none,
  children,
}: {
  remark?: string | undefined
  actions: readonly ItemAction[]
  busy: boolean
  none: string
  /** What was done so far, and the fields of the chosen action. */
  children?: ReactNode
}) {
  return (
    <Card title="处理" remark={remark} className="zg-work-handling">
      {children}
      <div className="zg-work-acts">
        {actions.map(({ label, run, main = false, danger = false }) => (
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
        {actions.length === 0 && <p className="zg-2">{none}</p>}
      </div>
    </Card>
  )
}
