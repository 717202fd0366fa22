import { changeRectify, type RectifyDetail } from '@zhugong/contract/rectify/calls'
import { fullStop } from '@zhugong/contract/rectify/moves'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { DayInput } from '#kit/inputs.tsx'
import { RectifyProblems } from './rectify-problems.tsx'

type Verdict = 'pass' | 'fail'
const choices = [
  { value: 'pass', label: '合格' },
  { value: 'fail', label: '不合格' },
]

/**
 * Each answered problem is judged by itself; the whole passes when all do, otherwise only the failed ones go back. For 监理, and for whoever
 * issued a notice of the site; an authority rechecks on a page of its own.
 */
export function VerdictForm({ file, by }: { file: RectifyDetail; by: 'supervisor' | 'issuer' }) {
  const answered = file.lines.filter((line) => line.state === 'answered')
  const [verdicts, setVerdicts] = useState<Record<string, Verdict>>({})
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [opinion, setOpinion] = useState('')
  const [deadline, setDeadline] = useState<string | undefined>(undefined)
  const act = useAct(changeRectify, { success: '已办理' })
  const failed = answered.filter((line) => verdicts[line.id] === 'fail')
  const undecided = answered.filter((line) => verdicts[line.id] === undefined)
  const key = { id: file.id, version: file.version }
  const lines = failed.map((line) => ({ id: line.id, opinion: reasons[line.id]?.trim() ?? '' }))

  const pass = async () => {
    if (by === 'supervisor') return act.run({ body: { ...key, action: 'jlPass', opinion } }, { fieldsShown: true })
    const sure = await confirmDanger({
      thing: `复查合格并闭合 ${file.code ?? '整改单'}`,
      consequence: `${answered.length} 个问题闭合，整改单办结，不能再退回。${file.noticeType === fullStop ? '没有其他停工的，项目恢复在建。' : ''}`,
      verb: '复查合格',
      keep: '再看看',
    })
    return sure ? act.run({ body: { ...key, action: 'recheckPass', opinion, second: null } }, { fieldsShown: true }) : undefined
  }
  const fail = () =>
    by === 'supervisor'
      ? act.run({ body: { ...key, action: 'jlReturn', lines } }, { fieldsShown: true })
      : act.run({ body: { ...key, action: 'recheckFail', lines, second: null, deadline: deadline ?? null } }, { fieldsShown: true })

  return (
    <>
      <RectifyProblems file={file}>
        {(line) =>
          line.state === 'answered' && (
            <div className="rectify-fill">
              <Segmented
                options={choices}
                value={verdicts[line.id] ?? ''}
                onChange={(value) => setVerdicts({ ...verdicts, [line.id]: value as Verdict })}
              />
              {verdicts[line.id] === 'fail' && (
                <Input
                  aria-label={`第 ${line.seq} 个问题不合格的原因`}
                  placeholder="哪里不合格，要补做什么"
                  maxLength={500}
                  value={reasons[line.id] ?? ''}
                  onChange={(event) => setReasons({ ...reasons, [line.id]: event.target.value })}
                />
              )}
            </div>
          )
        }
      </RectifyProblems>
      <Card
        title={by === 'supervisor' ? '监理复核' : '复查'}
        remark={undecided.length ? `还有 ${undecided.length} 个问题未判定` : failed.length ? `${failed.length} 个不合格` : '全部合格'}
      >
        {failed.length > 0 && by === 'issuer' && (
          <>
            <label className="zg-label" htmlFor="rectify-deadline">
              新的期限（不填则不变）
            </label>
            <DayInput id="rectify-deadline" min={file.deadline} value={deadline ?? null} onChange={setDeadline} />
          </>
        )}
        {failed.length === 0 && (
          <>
            <label className="zg-label" htmlFor="rectify-opinion">
              意见
            </label>
            <Input.TextArea
              id="rectify-opinion"
              rows={2}
              maxLength={500}
              value={opinion}
              onChange={(event) => setOpinion(event.target.value)}
            />
          </>
        )}
        <p className="zg-row zg-gap-6">
          {failed.length === 0 ? (
            <Button type="primary" size="large" disabled={undecided.length > 0} loading={act.running} onClick={() => void pass()}>
              {by === 'supervisor' ? '监理通过' : '复查合格'}
            </Button>
          ) : (
            <Button danger size="large" disabled={undecided.length > 0} loading={act.running} onClick={() => void fail()}>
              退回 {failed.length} 个问题
            </Button>
          )}
          {act.error && <span className="tone-danger">{act.error.message}</span>}
        </p>
      </Card>
    </>
  )
}
