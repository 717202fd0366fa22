import { changeRectify, type RectifyDetail, type RectifyLine } from '@zhugong/contract/rectify/calls'
import type { RepairInput } from '@zhugong/contract/rectify/repair'
import { Button, Input } from 'antd'
import { type ComponentType, useRef } from 'react'
import { Card, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useOutbox } from '#kit/field/outbox.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { AnswerFields, type Filled, filledOf } from './answer-fields.tsx'
import { RectifyProblems } from './rectify-problems.tsx'

interface Typed {
  lines: Record<string, Filled>
  opinion: string
}
const nothing: Typed = { lines: {}, opinion: '' }

const letterOf = ({ id, returns }: Pick<RectifyDetail, 'id' | 'returns'>) => `reply ${id} ${returns}`
/** What waits in the outbox, for comparison with the notice. One answer of a round waits at a time. */
const aboutOf = (file: RectifyDetail, lines: readonly (Filled & { id: string })[]) => ({
  id: letterOf(file),
  title: `整改回复 ${file.code ?? ''}`,
  page: `${file.origin === 'gov' ? '/safetySupervisionRectification' : '/safetyP/abarbeitung'}/details?id=${file.id}`,
  lines: lines.map(({ id, measure }) => ({ label: `问题 ${file.lines.find((line) => line.id === id)?.seq ?? ''}`, text: measure })),
})
const isFilled = ({ measure, photos }: Filled) => measure.trim().length >= 5 && photos.length > 0

/** What a subcontractor answered to the problem, to be taken over with its photographs. */
function FromBelow({ answer, onTake }: { answer: NonNullable<RectifyLine['fromBelow']>; onTake: (part: Partial<Filled>) => void }) {
  return (
    <Notice tone="info">
      {answer.corpName} {answer.byName} 已回复：{answer.measure}（照片 {answer.photos.length} 张）{' '}
      <Button size="small" onClick={() => onTake({ measure: answer.measure, photos: [...answer.photos] })}>
        取用
      </Button>
    </Notice>
  )
}

/** What the record that a notice comes from asks for beside measure and photographs of a problem. */
export type ReplyExtra = ComponentType<{
  line: RectifyLine
  projectCode: string
  value: RepairInput | null
  onChange: (value: RepairInput) => void
  /** The message of the server at a field. */
  problem: (field: string) => string | undefined
}>

/** The answer to the open problems: each with its measure and photos. Lives as long as the notice is open, also while it is refetched. */
export function ReplyForm({ file, extra: Extra }: { file: RectifyDetail; extra?: ReplyExtra | undefined }) {
  const open = file.lines.filter((line) => line.state === 'open')
  const [kept, setKept, clearKept] = useDeviceDraft<Typed>(letterOf(file), nothing)
  const { lines: typed, opinion } = kept ?? nothing
  const latest = useRef(kept ?? nothing)
  latest.current = kept ?? nothing
  const setTyped = (lines: Typed['lines']) => setKept({ ...latest.current, lines })
  const setOpinion = (text: string) => setKept({ ...latest.current, opinion: text })
  const save = useFieldAct(changeRectify, { success: '回复已保存，尚未提交', onDone: clearKept })
  const send = useFieldAct(changeRectify, { success: '回复已提交', onDone: clearKept, onKept: clearKept })
  const of = (line: RectifyLine) => typed[line.id] ?? filledOf(line)
  const change = (line: RectifyLine, part: Partial<Filled>) => {
    const now = latest.current.lines
    setTyped({ ...now, [line.id]: { ...(now[line.id] ?? filledOf(line)), ...part } })
  }
  const lines = open.map((line) => ({ id: line.id, ...of(line) }))
  const filled = lines.filter(isFilled).length
  const key = { id: file.id, version: file.version }
  const waits = useOutbox(({ waiting }) => waiting.some((one) => one.id === letterOf(file)))
  if (waits)
    return (
      <>
        <Notice tone="warning">本轮回复已存在本机，尚未送达。联网后自动发送，可在页首“待传”中查看。</Notice>
        <RectifyProblems file={file} />
      </>
    )
  return (
    <>
      <RectifyProblems file={file}>
        {(line) =>
          line.state === 'open' && (
            <>
              {line.fromBelow && <FromBelow answer={line.fromBelow} onTake={(taken) => change(line, taken)} />}
              <AnswerFields
                line={line}
                value={of(line)}
                onChange={(part) => change(line, part)}
                problems={send.fieldErrors}
                photos={FieldPhotos}
              />
              {Extra && (
                <Extra
                  line={line}
                  projectCode={file.projectCode}
                  value={of(line).repair}
                  onChange={(repair) => change(line, { repair })}
                  problem={(field) => send.fieldErrors[`lines.${line.seq - 1}.repair.${field}`]}
                />
              )}
            </>
          )
        }
      </RectifyProblems>
      <Card title="提交回复" remark={`已填 ${filled} / ${open.length}`}>
        <label className="zg-label" htmlFor="rectify-summary">
          总体说明
        </label>
        <Input.TextArea
          id="rectify-summary"
          rows={2}
          maxLength={500}
          value={opinion}
          onChange={(event) => setOpinion(event.target.value)}
        />
        <p className="zg-row zg-gap-6 zg-wrap">
          <Button
            type="primary"
            size="large"
            loading={send.running}
            onClick={() => void send.run({ body: { ...key, action: 'reply', lines, opinion } }, aboutOf(file, lines))}
          >
            提交回复
          </Button>
          <Button
            size="large"
            loading={save.running}
            onClick={() =>
              void save.run(
                { body: { ...key, action: 'saveReply', lines: lines.filter((one) => one.measure || one.photos.length) } },
                aboutOf(file, lines),
              )
            }
          >
            保存
          </Button>
          {send.fieldErrors.lines && <span className="tone-danger">{send.fieldErrors.lines}</span>}
        </p>
      </Card>
    </>
  )
}
