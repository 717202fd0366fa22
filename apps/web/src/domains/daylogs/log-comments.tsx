import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Card, Empty } from '#kit/feedback.tsx'

export type LogBody =
  | { action: 'comment'; content: string }
  | { action: 'answer'; commentId: string; content: string }
  | { action: 'archive' }
  | { action: 'return'; opinion: string }
/** Sends an action with the version that was read; undefined after a refusal, which was shown. */
export type Send = (body: LogBody) => Promise<unknown>

interface CommentsProps {
  file: LogDetail
  send: Send
  busy: boolean
  /** The side that comments, or the side that answers. */
  side: 'reader' | 'writer'
}

/** 批阅, and the answers of the site. */
export function LogComments({ file, send, busy, side }: CommentsProps) {
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const comments = side === 'reader' && may('comment')
  if (file.comments.length === 0 && !comments)
    return (
      <Card title="批阅">
        <Empty small text="尚无批阅" />
      </Card>
    )
  return (
    <Card title="批阅" remark={file.openComments > 0 ? `${file.openComments} 条未回复` : undefined}>
      <ul className="log-comments">
        {file.comments.map((one) => (
          <li key={one.id}>
            <p>
              <b>{one.byName}</b>{' '}
              <span className="zg-2">
                {one.groupName} {one.at.slice(0, 16)}
              </span>
            </p>
            <p className="log-words">{one.content}</p>
            {one.answer !== null ? (
              <p className="answer">
                回复：{one.answer}{' '}
                <span className="zg-2">
                  {one.answerBy} {one.answerAt?.slice(0, 16)}
                </span>
              </p>
            ) : side === 'writer' && may('answer') ? (
              <Write label="回复批阅" busy={busy} onSend={(content) => send({ action: 'answer', commentId: one.id, content })} />
            ) : (
              <p className="tone-warning">未回复</p>
            )}
          </li>
        ))}
      </ul>
      {comments && <Write label="批阅" busy={busy} onSend={(content) => send({ action: 'comment', content })} />}
    </Card>
  )
}

function Write({ label, busy, onSend }: { label: string; busy: boolean; onSend: (text: string) => Promise<unknown> }) {
  const [text, setText] = useState('')
  const go = async () => {
    if (await onSend(text.trim())) setText('')
  }
  return (
    <div className="log-write">
      <Input.TextArea aria-label={label} rows={2} maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
      <Button type="primary" loading={busy} disabled={text.trim().length < 2} onClick={() => void go()}>
        {label}
      </Button>
    </div>
  )
}
