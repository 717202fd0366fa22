import { type ApprovalDetail, changeApproval, getApproval } from '@zhugong/contract/workflow/endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Empty, Tag } from '#kit/feedback.tsx'

/** Comments on an item, and its drawn signatures. */
export function ApprovalTalk({ file }: { file: ApprovalDetail }) {
  const [text, setText] = useState('')
  const say = useAct(changeApproval, { success: '已发表', refreshes: [getApproval], onDone: () => setText('') })
  return (
    <>
      {file.signatures.length > 0 && (
        <Card title="签名" remark="与所签内容绑定">
          <div className="flow-signatures">
            {file.signatures.map((s) => (
              <figure key={s.id}>
                <img src={s.image} alt={`${s.name} 的签名`} />
                <figcaption>
                  {s.name} <time className="zg-2">{s.at.slice(0, 16)}</time> {!s.valid && <Tag tone="danger">内容已变，签名失效</Tag>}
                </figcaption>
              </figure>
            ))}
          </div>
        </Card>
      )}
      <Card title="评论" remark={file.comments.length > 0 ? `${file.comments.length} 条` : undefined}>
        {file.comments.length === 0 && <Empty small text="还没有评论" />}
        <ul className="flow-comments">
          {file.comments.map((c) => (
            <li key={c.id}>
              <b>{c.name}</b> <span className="zg-2">{`${c.groupName} ${c.at.slice(0, 16)}`}</span>
              <p>{c.text}</p>
            </li>
          ))}
        </ul>
        <div className="flow-say">
          <Input.TextArea
            rows={2}
            maxLength={500}
            aria-label="评论"
            placeholder="补充说明或提问，参与审批的人都看得到"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button
            disabled={text.trim() === ''}
            loading={say.running}
            onClick={() => void say.run({ params: { id: file.id }, body: { action: 'comment', text: text.trim() } })}
          >
            发表
          </Button>
        </div>
      </Card>
    </>
  )
}
