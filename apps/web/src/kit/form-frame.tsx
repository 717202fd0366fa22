import { CloseCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useSaveKey } from './form-engine.tsx'
import { PageTitle } from './list-shell.tsx'
import { usePage } from './page.tsx'

/** A group of the form as its anchor shows it. */
export interface Anchor {
  title: string
  /** Right of the title: what is filled, or wrong. */
  state?: ReactNode
}

export interface FormFrameProps {
  title?: ReactNode
  remark?: ReactNode
  titleActions?: ReactNode
  /** One for each `FormSection`; shown from two on. */
  anchors?: readonly Anchor[]
  /** 288 px at the right; 440 where it is `asideWide`, below the form on a narrow screen. */
  aside?: ReactNode
  asideWide?: boolean
  /** Undefined for somebody who may not save: no bar. */
  bar: SaveBarProps | undefined
  /** The form's own box, for whoever scrolls to its fields. */
  box?: RefObject<HTMLDivElement | null>
  children: ReactNode
}

/** A form's page: anchors at the left, what is seen beside it at the right, a bar to save that stays. Ctrl+Enter saves from anywhere. */
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
  /** How many fields are wrong, and the way to the first. */
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

/** A group of a form, to which its anchor leads. */
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

/** Brings the first field that is marked `data-wrong` into view, with the keys in it. */
export function showFirstWrong(box: HTMLElement | null): void {
  const first = box?.querySelector('[data-wrong]')
  first?.scrollIntoView({ block: 'center' })
  first?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
}

/** For forms that keep their values themselves: whenever other errors are set, the first field that has one is shown. */
export function useFirstWrong(errors: Readonly<Record<string, string>>): { box: RefObject<HTMLDivElement | null>; show: () => void } {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0) showFirstWrong(box.current)
  }, [errors])
  return { box, show: () => showFirstWrong(box.current) }
}
