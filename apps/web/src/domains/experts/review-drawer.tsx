import { changeExpert, type ExpertRow, getExpert } from '@zhugong/contract/experts/library'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { ErrorPanel, Known, Notice } from '#kit/feedback.tsx'
import type { BodyOf } from '#kit/form.tsx'
import { NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { ItemText } from '#kit/work-item.tsx'
import { ExpertFacts } from './expert-facts.tsx'

const anywhere = { projectCode: '*' }

/** Application after application: admit with a term, or return with a reason; then the next. */
export function ReviewDrawer({ first, waiting, onClose }: { first: ExpertRow; waiting: readonly ExpertRow[]; onClose: () => void }) {
  const [queue] = useState(() => [first, ...waiting.filter((one) => one.id !== first.id)])
  const [at, setAt] = useState(0)
  const row = queue[at]
  const next = () => (at + 1 < queue.length ? setAt(at + 1) : onClose())
  if (!row) return null
  return (
    <PageDrawer open size={720} title={`入库审核 ${at + 1} / ${queue.length}`} onClose={onClose}>
      <One key={row.id} id={row.id} onDone={next} onSkip={next} />
    </PageDrawer>
  )
}

function One({ id, onDone, onSkip }: { id: string; onDone: () => void; onSkip: () => void }) {
  const read = useCall(getExpert, { params: { id }, query: anywhere }, { quiet: true, staleMs: 0 })
  const act = useAct(changeExpert, { success: '已审核', onDone })
  const [years, setYears] = useState<number | null>(3)
  const [opinion, setOpinion] = useState('')
  const file = read.data
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const may = (action: string) => file?.actions.some((one) => one.action === action) ?? false
  const send = (body: object) =>
    void act.run(
      { params: { id }, query: anywhere, body: { version: file?.version ?? 0, ...body } as BodyOf<typeof changeExpert> },
      { fieldsShown: true },
    )
  return (
    <Known of={read} rows={10}>
      {file && (
        <div className="expert-review">
          {file.problems.map((text) => (
            <Notice key={text} tone="warning">
              {text}
            </Notice>
          ))}
          {file.wishNames && (
            <Notice tone="info">
              申请变更专业：{file.specialtyNames.join('、')} 改为 {file.wishNames.join('、')}
            </Notice>
          )}
          <ExpertFacts file={file} />
          {file.actions.length === 0 && <Notice tone="info">登记人不能审核自己登记的专家，请由另一人审核。</Notice>}
          {may('pass') && (
            <label className="zg-label" htmlFor="expert-years">
              聘期
              <NumberInput id="expert-years" unit="年" min={1} max={5} value={years} onChange={(value) => setYears(value ?? null)} />
            </label>
          )}
          {(may('reject') || may('refuse')) && (
            <ItemText
              label="意见"
              hint="驳回时必填，申请人能看到"
              value={opinion}
              onChange={setOpinion}
              problem={act.fieldErrors.opinion}
            />
          )}
          <div className="zg-row zg-gap-8">
            {may('pass') && (
              <Button type="primary" loading={act.running} onClick={() => send({ action: 'pass', years, opinion: opinion || null })}>
                通过
              </Button>
            )}
            {may('accept') && (
              <Button type="primary" loading={act.running} onClick={() => send({ action: 'accept' })}>
                同意变更
              </Button>
            )}
            {may('reject') && (
              <Button danger loading={act.running} onClick={() => send({ action: 'reject', opinion })}>
                驳回
              </Button>
            )}
            {may('refuse') && (
              <Button danger loading={act.running} onClick={() => send({ action: 'refuse', opinion })}>
                驳回变更
              </Button>
            )}
            <Button onClick={onSkip}>下一份</Button>
          </div>
        </div>
      )}
    </Known>
  )
}
