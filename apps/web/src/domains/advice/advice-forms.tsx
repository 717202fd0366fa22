import { type AdviceDetail, adviceAddressees, changeAdvice } from '@zhugong/contract/advice/calls'
import { mostImages, satisfactions } from '@zhugong/contract/advice/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { Choice, Upload } from '#kit/inputs.tsx'
import { ItemText } from '#kit/work-item.tsx'

interface PartProps {
  file: AdviceDetail
}
const keyOf = (file: AdviceDetail) => ({ params: { id: file.id }, query: { projectCode: '*' } })

/** Ready sentences for answers. */
const phrases = [
  '已收到，正在核实，3 日内答复。',
  '经现场核查，情况属实，已责令整改。',
  '经核查未发现所述情况，感谢监督。',
  '该事项不属本机构职责，已告知主管部门。',
]

export function AnswerForm({ file }: PartProps) {
  const [content, setContent] = useState('')
  const [images, setImages] = useState<string[]>([])
  const act = useAct(changeAdvice, { success: '已回复' })
  return (
    <Card title="回复">
      <div className="zg-work-form">
        <div className="zg-row zg-wrap zg-gap-6">
          {phrases.map((phrase) => (
            <Button key={phrase} size="small" onClick={() => setContent(content ? `${content}${phrase}` : phrase)}>
              {phrase.slice(0, 10)}…
            </Button>
          ))}
        </div>
        <ItemText
          label="回复内容"
          hint="查明了什么，怎么处理，何时完成"
          value={content}
          onChange={setContent}
          problem={act.fieldErrors.content}
        />
        <label className="zg-label" htmlFor="advice-answer-images">
          附图
        </label>
        <Upload id="advice-answer-images" max={mostImages} value={images} onChange={setImages} />
        <p>
          <Button
            type="primary"
            size="large"
            loading={act.running}
            onClick={() =>
              void act.run({ ...keyOf(file), body: { action: 'reply', version: file.version, content, images } }, { fieldsShown: true })
            }
          >
            提交回复
          </Button>
        </p>
      </div>
    </Card>
  )
}

export function AskForm({ file }: PartProps) {
  const [content, setContent] = useState('')
  const [images, setImages] = useState<string[]>([])
  const act = useAct(changeAdvice, { success: '已追问' })
  return (
    <Card title="还有疑问">
      <div className="zg-work-form">
        <ItemText
          label="追问"
          hint="哪里没有说清，或者情况有什么变化"
          value={content}
          onChange={setContent}
          problem={act.fieldErrors.content}
        />
        <label className="zg-label" htmlFor="advice-ask-images">
          附图
        </label>
        <Upload id="advice-ask-images" max={mostImages} value={images} onChange={setImages} />
        <p>
          <Button
            size="large"
            loading={act.running}
            onClick={() =>
              void act.run({ ...keyOf(file), body: { action: 'reask', version: file.version, content, images } }, { fieldsShown: true })
            }
          >
            提交追问
          </Button>
        </p>
      </div>
    </Card>
  )
}

export function ForwardForm({ file }: PartProps) {
  const [open, setOpen] = useState(false)
  const [addressee, setAddressee] = useState<string>()
  const [reason, setReason] = useState('')
  const read = useCall(adviceAddressees, { query: { projectCode: file.projectCode ?? '*' } }, { quiet: true, enabled: open })
  const act = useAct(changeAdvice, { success: '已转办' })
  const others = (read.data?.list ?? []).filter((one) => one.kind !== 'project')
  return (
    <Card title="转办" remark="不属本机构职责时">
      {open ? (
        <div className="zg-work-form">
          <label className="zg-label" htmlFor="advice-forward">
            转至
          </label>
          <Choice
            id="advice-forward"
            loading={!read.data}
            options={others.map((one) => ({ value: one.groupId, label: one.name }))}
            value={addressee}
            onChange={setAddressee}
          />
          {act.fieldErrors.addressee && <small className="tone-danger">{act.fieldErrors.addressee}</small>}
          <ItemText label="转办原因" hint="提交人能看到" value={reason} onChange={setReason} problem={act.fieldErrors.reason} />
          <Button
            loading={act.running}
            onClick={() =>
              void act.run(
                { ...keyOf(file), body: { action: 'forward', version: file.version, addressee: addressee ?? '', reason } },
                { fieldsShown: true },
              )
            }
          >
            确认转办
          </Button>
        </div>
      ) : (
        <Button onClick={() => setOpen(true)}>转办</Button>
      )}
    </Card>
  )
}

const contentWith = Object.entries(satisfactions)
  .reverse()
  .map(([value, label]) => ({ value, label }))

export function CloseForm({ file }: PartProps) {
  const [satisfaction, setSatisfaction] = useState('3')
  const act = useAct(changeAdvice, { success: '已关闭' })
  return (
    <Card title="关闭" remark="问题已解决">
      <div className="zg-work-form">
        <Segmented aria-label="满意度" options={contentWith} value={satisfaction} onChange={setSatisfaction} />
        <Button
          type="primary"
          loading={act.running}
          onClick={() =>
            void act.run({ ...keyOf(file), body: { action: 'close', version: file.version, satisfaction: Number(satisfaction) } })
          }
        >
          关闭
        </Button>
      </div>
    </Card>
  )
}

export function NoteForm({ file }: PartProps) {
  const [content, setContent] = useState('')
  const act = useAct(changeAdvice, { success: '备注已保存', onDone: () => setContent('') })
  return (
    <div className="zg-work-form">
      <ItemText label="备注" hint="提交人和其他机构看不到" value={content} onChange={setContent} problem={act.fieldErrors.content} />
      <Button
        loading={act.running}
        onClick={() => void act.run({ ...keyOf(file), body: { action: 'note', version: file.version, content } }, { fieldsShown: true })}
      >
        保存备注
      </Button>
    </div>
  )
}
