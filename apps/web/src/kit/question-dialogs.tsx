import { ExclamationCircleFilled } from '@ant-design/icons'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import type { PendingQuestion, Reason } from './ask.ts'
import { colors } from './colors.ts'

export function Question({ requested }: { requested: PendingQuestion }) {
  const [typed, setTyped] = useState('')
  const ready = !requested.typeName || typed.trim() === requested.typeName
  return (
    <Modal open centered closable={false} width={400} footer={null} onCancel={() => requested.answer(false)} aria-label={requested.thing}>
      <div style={{ display: 'flex', gap: 12 }}>
        <ExclamationCircleFilled style={{ color: colors.danger, fontSize: 20, marginTop: 2, alignSelf: 'flex-start' }} />
        <div className="zg-grow">
          <div style={{ fontSize: 15, fontWeight: 600, marginBottom: 6 }}>
            {/[？?]$/.test(requested.thing) ? requested.thing : `${requested.thing}？`}
          </div>
          <div>{requested.consequence}</div>
          {requested.typeName && (
            <label htmlFor="typed-name" style={{ display: 'block', marginTop: 10 }}>
              <span className="zg-2">{requested.typeLabel ?? '输入名称确认'}</span>
              <Input
                id="typed-name"
                value={typed}
                placeholder={requested.typeName}
                onChange={(event) => setTyped(event.target.value)}
                style={{ marginTop: 4 }}
              />
            </label>
          )}
          <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8, marginTop: 16 }}>
            <Button onClick={() => requested.answer(false)}>{requested.keep ?? '取消'}</Button>
            <Button type="primary" danger disabled={!ready} onClick={() => requested.answer(true)}>
              {requested.verb ?? '确定'}
            </Button>
          </div>
        </div>
      </div>
    </Modal>
  )
}

export function ReasonQuestion({ reason }: { reason: Reason }) {
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
