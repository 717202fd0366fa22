import { CloseCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useSaveKey } from './form-engine.tsx'
import { PageTitle } from './list-shell.tsx'
import { usePage } from './page.tsx'

/** The entry of a form group in the list of anchors. */
export interface Anchor {
  title: string
  /** Right of the title: how many fields are filled in, or wrong. */
  state?: ReactNode
}

export interface FormFrameProps {
  title?: ReactNode
  remark?: ReactNode
  titleActions?: ReactNode
  /** One per `FormSection`; shown if there are at least two. */
  anchors?: readonly Anchor[]
  /** Column at the right, 288 px, or 440 px with `asideWide`; below the form on a narrow screen. */
  aside?: ReactNode
  asideWide?: boolean
  /** The save bar; undefined for users who may not save. */
  bar: SaveBarProps | undefined
  /** The form's element, for callers that scroll to its fields. */
  box?: RefObject<HTMLDivElement | null>
  children: ReactNode
}

/** Page layout of a form: anchors at the left, side column at the right, a fixed save bar. Ctrl+Enter saves from anywhere. */
export function FormFrame({ title, remark, titleActions, anchors = [], aside, asideWide, bar, box, children }: FormFrameProps) {
  const own = useRef<HTMLDivElement>(null)
  const middle = box ?? own
  const whole = useRef<HTMLDivElement>(null)
  useSaveKey(whole, bar?.onSave)
  const [current, setCurrent] = useState<string>()
  const goTo = (group: string) => {
    setCurrent(group)
    middle.current?.querySelector(`[data-group="${CSS.escape(group)}"]`)?.scrollIntoView({ block: 'start' })
  }
  return (
    <div className="zg-page" ref={whole}>
      <PageTitle title={title} remark={remark} actions={titleActions} />
      <div className={`zg-form ${asideWide ? 'zg-form-beside' : ''}`}>
        {anchors.length > 1 && (
          <nav className="zg-anchors" aria-label="分组">
            {anchors.map((anchor, index) => (
              <button
                key={anchor.title}
                type="button"
                className="zg-bare"
                aria-current={(current ?? anchors[0]?.title) === anchor.title && (current || index === 0) ? 'true' : undefined}
                onClick={() => goTo(anchor.title)}
              >
                {anchor.title}
                <span className="state">{anchor.state}</span>
              </button>
            ))}
          </nav>
        )}
        {/* A read-only form may hold nothing focusable; its scrolling region must still be reachable by keyboard. */}
        <div className="zg-form-middle" ref={middle} tabIndex={bar ? undefined : 0}>
          {children}
        </div>
        {aside && <div className="zg-form-aside">{aside}</div>}
      </div>
      {bar && <SaveBar {...bar} />}
    </div>
  )
}

export interface SaveBarProps {
  onSave: () => unknown
  saving: boolean
  saveText?: string | undefined
  disabled?: boolean
  onCancel?: (() => void) | undefined
  /** Number of fields with errors; `onShowErrors` scrolls to the first. */
  errors: number
  onShowErrors: () => void
  /** Further buttons. */
  actions?: ReactNode
  remark?: ReactNode
}

function SaveBar({ onSave, saving, saveText = '保存', disabled = false, onCancel, errors, onShowErrors, actions, remark }: SaveBarProps) {
  const page = usePage()
  return (
    <div className="zg-savebar">
      <Button type="primary" size="large" className="zg-save" disabled={disabled} loading={saving} onClick={() => void onSave()}>
        {saveText} <kbd>Ctrl+Enter</kbd>
      </Button>
      {actions}
      <Button className="zg-save" onClick={() => (onCancel ? onCancel() : page.close())}>
        取消
      </Button>
      {errors > 0 && (
        <span className="errors" role="status">
          <CloseCircleFilled /> {errors} 处错误
          <button type="button" className="zg-bare zg-link" onClick={onShowErrors}>
            去修改
          </button>
        </span>
      )}
      {remark && <div className="right">{remark}</div>}
    </div>
  )
}

export interface FormSectionProps {
  title: string
  remark?: ReactNode
  actions?: ReactNode
  /** No padding inside. */
  flush?: boolean
  children: ReactNode
}

/** A group of a form, target of its anchor. */
export function FormSection({ title, remark, actions, flush, children }: FormSectionProps) {
  return (
    <section className="zg-card" data-group={title} aria-label={title}>
      <div className="zg-card-head">
        <h2>{title}</h2>
        {remark && <span className="remark">{remark}</span>}
        {actions && <div className="right">{actions}</div>}
      </div>
      {flush ? children : <div className="zg-card-body">{children}</div>}
    </section>
  )
}

/** Scrolls to the first field marked `data-wrong` and focuses it. */
export function showFirstWrong(box: HTMLElement | null): void {
  const first = box?.querySelector('[data-wrong]')
  first?.scrollIntoView({ block: 'center' })
  first?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
}

/** For forms that hold their own values: whenever the errors change, scrolls to the first field that has one. */
export function useFirstWrong(errors: Readonly<Record<string, string>>): { box: RefObject<HTMLDivElement | null>; show: () => void } {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0) showFirstWrong(box.current)
  }, [errors])
  return { box, show: () => showFirstWrong(box.current) }
}
