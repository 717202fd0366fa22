import { type ActivityDetail, type ActivitySeat, changeActivity, getActivity } from '@zhugong/contract/experts/activities'
import { halves } from '@zhugong/contract/experts/draws'
import { type ActivityAction, activityResults, leastReviewers, planReview } from '@zhugong/contract/experts/moves'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { yuan } from '#kit/format.ts'
import { Choice, MoneyInput, Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { ItemText, Timeline } from '#kit/work-item.tsx'
import { today } from './days.ts'
import { ActivityStateTag } from './expert-words.tsx'
import { expertSteps } from './step-looks.tsx'

const anywhere = { projectCode: '*' }
const keyOf = (file: ActivityDetail) => ({ params: { id: file.id }, query: anywhere })
const may = (file: ActivityDetail, action: ActivityAction) => file.actions.some((one) => one.action === action)

/** One activity: who came, what came out, what was paid. */
export function ActivityView({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useCall(getActivity, { params: { id }, query: anywhere }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <PageDrawer open size={860} title={file ? `${file.code} ${file.title}` : '活动'} onClose={onClose}>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !file ? (
        <DetailSkeleton />
      ) : (
        <div className="expert-review">
          <About file={file} />
          <Seats file={file} />
          {may(file, 'conclude') && <Conclusion key={file.version} file={file} />}
          {may(file, 'pay') && file.seats && <Fees file={file} seats={file.seats} />}
          <Foot file={file} />
          {file.timeline.length > 0 && <Timeline steps={expertSteps(file.timeline)} />}
        </div>
      )}
    </PageDrawer>
  )
}

function About({ file }: { file: ActivityDetail }) {
  return (
    <Card title="活动" actions={<ActivityStateTag row={file} />}>
      <Pairs
        items={[
          { label: '类型', value: `${file.typeName}${file.overScale ? '（超规模）' : ''}` },
          { label: '时间', value: `${file.date} ${halves[file.half]}` },
          { label: '地点', value: file.place },
          { label: '项目', value: file.projectName ?? '与项目无关' },
          { label: '组织单位', value: file.organiserName },
          {
            label: '抽取',
            value: file.drawId ? (
              <Link to={hrefOf('/person/expert/list', { tab: 'draws', drawId: file.drawId })}>{file.drawCode}</Link>
            ) : (
              `未抽取：${file.noDrawReason ?? ''}`
            ),
          },
          { label: '内容', value: file.content, wide: true },
          ...(file.conclusion ? [{ label: '结论', value: `${file.resultName}：${file.conclusion}`, wide: true }] : []),
          ...(file.report ? [{ label: '报告', value: <a href={file.report}>查看报告</a> }] : []),
        ]}
      />
    </Card>
  )
}

function Seats({ file }: { file: ActivityDetail }) {
  if (!file.seats) return <Notice tone="info">专家名单在 {file.date} 当天公开。</Notice>
  const signs = may(file, 'signIn') && file.date <= today()
  return (
    <Card title="专家" remark={`签到 ${file.signed} / ${file.experts}`}>
      <ul className="zg-work-lines">
        {file.seats.map((one) => (
          <Seat key={one.id} file={file} one={one} signs={signs} />
        ))}
      </ul>
    </Card>
  )
}

function Seat({ file, one, signs }: { file: ActivityDetail; one: ActivitySeat; signs: boolean }) {
  const [phone, setPhone] = useState('')
  const act = useAct(changeActivity, { success: '已签到' })
  const sign = () =>
    void act.run({ ...keyOf(file), body: { action: 'signIn', version: file.version, seat: one.id, phone } }, { fieldsShown: true })
  return (
    <li className="zg-row zg-gap-8 zg-middle zg-wrap">
      <b>{one.name}</b> <span className="zg-2">{one.workUnit}</span> <Tag icon={false}>{one.role}</Tag>
      {one.signTime ? <span className="tone-fine">{one.signTime.slice(5, 16)} 签到</span> : <span className="zg-2">未签到</span>}
      {one.feeCents !== null && <span>酬劳 {yuan(one.feeCents)} 元</span>}
      {one.total !== null && <span className="zg-2">评价 {one.total} 分</span>}
      {signs && !one.signTime && (
        <span className="zg-row zg-gap-6">
          <Input
            size="small"
            className="expert-phone"
            aria-label={`${one.name}本人手机号`}
            placeholder="本人报手机号"
            inputMode="numeric"
            maxLength={11}
            value={phone}
            status={act.fieldErrors.phone ? 'error' : undefined}
            onChange={(event) => setPhone(event.target.value)}
          />
          <Button size="small" loading={act.running} onClick={sign}>
            签到
          </Button>
        </span>
      )}
      {act.fieldErrors.phone && <small className="tone-danger">{act.fieldErrors.phone}</small>}
    </li>
  )
}

function Conclusion({ file }: { file: ActivityDetail }) {
  const isReview = file.activityType === planReview
  const [result, setResult] = useState<string | undefined>(isReview ? undefined : 'done')
  const [conclusion, setConclusion] = useState(file.conclusion ?? '')
  const [report, setReport] = useState<string[]>(file.report ? [file.report] : [])
  const act = useAct(changeActivity, { success: '结论已录入' })
  const options = Object.entries(activityResults)
    .filter(([value]) => isReview !== (value === 'done'))
    .map(([value, label]) => ({ value, label }))
  const send = () => {
    const body = { action: 'conclude' as const, version: file.version, result: result as 'done', conclusion, report: report[0] ?? null }
    void act.run({ ...keyOf(file), body }, { fieldsShown: true })
  }
  return (
    <Card title="结论与报告" remark={file.overScale && isReview ? `超规模方案须 ${leastReviewers} 名以上专家签到` : undefined}>
      <div className="zg-work-form">
        <label className="zg-label" htmlFor="activity-result">
          结论
        </label>
        <Choice id="activity-result" clear={false} options={options} value={result} onChange={setResult} />
        {act.fieldErrors.result && <small className="tone-danger">{act.fieldErrors.result}</small>}
        <ItemText label="意见" hint="结论和主要意见" value={conclusion} onChange={setConclusion} problem={act.fieldErrors.conclusion} />
        <label className="zg-label" htmlFor="activity-report">
          报告{isReview ? '（归档前必传）' : ''}
        </label>
        <Upload id="activity-report" max={1} accept="image/*,application/pdf" value={report} onChange={setReport} />
        <p>
          <Button type="primary" loading={act.running} onClick={send}>
            保存结论
          </Button>
        </p>
      </div>
    </Card>
  )
}

function Fees({ file, seats }: { file: ActivityDetail; seats: readonly ActivitySeat[] }) {
  const came = seats.filter((one) => one.signTime)
  const [fees, setFees] = useState<Record<string, number | undefined>>({})
  const act = useAct(changeActivity, { success: '酬劳已登记' })
  if (came.length === 0) return null
  const feeOf = (one: ActivitySeat) => fees[one.id] ?? one.feeCents ?? undefined
  const send = () => {
    const rows = came.flatMap((one) => {
      const feeCents = feeOf(one)
      return feeCents === undefined ? [] : [{ seat: one.id, feeCents }]
    })
    void act.run({ ...keyOf(file), body: { action: 'pay', version: file.version, fees: rows } })
  }
  return (
    <Card title="酬劳" remark="只有组织单位可见">
      <div className="expert-fees">
        {came.map((one) => (
          <label key={one.id} htmlFor={`fee-${one.id}`}>
            {one.name}
            <MoneyInput id={`fee-${one.id}`} value={feeOf(one)} onChange={(value) => setFees({ ...fees, [one.id]: value })} />
          </label>
        ))}
      </div>
      <Button loading={act.running} onClick={send}>
        保存酬劳
      </Button>
    </Card>
  )
}

function Foot({ file }: { file: ActivityDetail }) {
  const act = useAct(changeActivity, { success: '已办理' })
  const cancel = async () => {
    const note = await askReason(`取消 ${file.title}`, '取消原因（专家的时段将释放）')
    if (note) await act.run({ ...keyOf(file), body: { action: 'cancel', version: file.version, note } })
  }
  return (
    <div className="zg-row zg-gap-8">
      {may(file, 'finish') && (
        <Button
          type="primary"
          loading={act.running}
          onClick={() => void act.run({ ...keyOf(file), body: { action: 'finish', version: file.version } })}
        >
          完成归档
        </Button>
      )}
      {may(file, 'cancel') && (
        <Button danger loading={act.running} onClick={() => void cancel()}>
          取消活动
        </Button>
      )}
    </div>
  )
}
