import { ExclamationCircleFilled } from '@ant-design/icons'
import { Button, Drawer, type DrawerProps, Input, Modal, type ModalProps } from 'antd'
import { type ReactNode, useState } from 'react'
import { create } from 'zustand'
import { usePage } from './page.tsx'

/**
 * Modal and drawer for pages. A kept page that goes to the back with an open modal would crash on its return, so these
 * render nothing while the page is not in front; the page's own state keeps them open for when it comes back.
 */
export function PageModal(props: ModalProps) {
  return usePage().active ? <Modal destroyOnHidden centered {...props} /> : null
}

export function PageDrawer(props: DrawerProps) {
  return usePage().active ? <Drawer destroyOnHidden size={720} {...props} /> : null
}

export interface DangerQuestion {
  /** Verb and thing with its number: 让 架子二班 19 人退场. Becomes the question. */
  thing: string
  /** What happens, and what stays possible. */
  consequence: ReactNode
  /** Text of the red button; the verb with its number. */
  verb?: string
  /** Text of the other button; what does not happen. */
  keep?: string
  /** To be typed, for what hits many. */
  typeName?: string
  typeLabel?: string
}

interface Asked extends DangerQuestion {
  answer: (yes: boolean) => void
}
const useAsked = create<{ asked: Asked | undefined }>(() => ({ asked: undefined }))

/** Asks before a destructive act; true when confirmed. */
export function confirmDanger(question: DangerQuestion): Promise<boolean> {
  useAsked.getState().asked?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      useAsked.setState({ asked: undefined })
      resolve(yes)
    }
    useAsked.setState({ asked: { ...question, answer } })
  })
}

/** Closed by a change of page: nobody confirms what he no longer sees. */
export const dropQuestion = (): void => useAsked.getState().asked?.answer(false)

function Question({ asked }: { asked: Asked }) {
  const [typed, setTyped] = useState('')
  const ready = !asked.typeName || typed.trim() === asked.typeName
  return (
    <Modal open centered closable={false} width={400} footer={null} onCancel={() => asked.answer(false)} aria-label={asked.thing}>
      <div style={{ display: 'flex', gap: 12 }}>
        <ExclamationCircleFilled style={{ color: '#C62828', fontSize: 20, marginTop: 2 }} />
        <div style={{ flex: 1 }}>
          <div style={{ fontSize: 15, fontWeight: 600, marginBottom: 6 }}>
            {/[？?]$/.test(asked.thing) ? asked.thing : `${asked.thing}？`}
          </div>
          <div>{asked.consequence}</div>
          {asked.typeName && (
            <label htmlFor="typed-name" style={{ display: 'block', marginTop: 10 }}>
              <span className="zg-2">{asked.typeLabel ?? '输入名称确认'}</span>
              <Input
                id="typed-name"
                value={typed}
                placeholder={asked.typeName}
                onChange={(event) => setTyped(event.target.value)}
                style={{ marginTop: 4 }}
              />
            </label>
          )}
          <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8, marginTop: 16 }}>
            <Button onClick={() => asked.answer(false)}>{asked.keep ?? '取消'}</Button>
            <Button type="primary" danger disabled={!ready} onClick={() => asked.answer(true)}>
              {asked.verb ?? '确定'}
            </Button>
          </div>
        </div>
      </div>
    </Modal>
  )
}

/** Stands once at the root. */
export function QuestionHost() {
  const { asked } = useAsked()
  return asked ? <Question key={asked.thing} asked={asked} /> : null
}

interface Reason {
  title: string
  label: string
  answer: (text: string | undefined) => void
}
const useReason = create<{ reason: Reason | undefined }>(() => ({ reason: undefined }))

/** Asks for a reason; undefined when given up. */
export function askReason(title: string, label = '事由'): Promise<string | undefined> {
  useReason.getState().reason?.answer(undefined)
  return new Promise((resolve) => {
    const answer = (text: string | undefined) => {
      useReason.setState({ reason: undefined })
      resolve(text)
    }
    useReason.setState({ reason: { title, label, answer } })
  })
}

function ReasonQuestion({ reason }: { reason: Reason }) {
  const [text, setText] = useState('')
  const given = text.trim()
  return (
    <Modal
      open
      centered
      width={400}
      title={reason.title}
      okText="确定"
      cancelText="取消"
      okButtonProps={{ disabled: given.length < 2 }}
      onOk={() => reason.answer(given)}
      onCancel={() => reason.answer(undefined)}
    >
      <label htmlFor="reason-text">
        <span>{reason.label}</span>
        <Input.TextArea
          id="reason-text"
          value={text}
          maxLength={200}
          rows={3}
          placeholder="至少 2 个字，记入操作日志"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
    </Modal>
  )
}

export function ReasonHost() {
  const { reason } = useReason()
  return reason ? <ReasonQuestion reason={reason} /> : null
}
export const dropReason = (): void => useReason.getState().reason?.answer(undefined)
