import { PrinterOutlined } from '@ant-design/icons'
import { changeDayCheck, type DayCheckDetail, getDayCheck } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { signDayCheck } from '@zhugong/contract/daychecks/seats'
import { Button } from 'antd'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, WorkItem } from '#kit/work-item.tsx'
import { GradeTag, marks } from '../scoring/public.tsx'
import { FoundProblems, Notices } from './day-result-page.tsx'
import { DayStateTag, PresenceTable } from './day-words.tsx'
import './daychecks.css'

/** How did this check go from plan to closing? */
export default function DayDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择检查" hint="从日常检查列表打开一次">
          <Button onClick={() => go('/jgt/daycheck')}>去日常检查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Check key={id} id={id} />
    </div>
  )
}

function Check({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const print = usePrint('daycheckRecord')
  const read = useCall(getDayCheck, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const open = file?.state === dayCheckStates.planned || file?.state === dayCheckStates.running
  return (
    <WorkItem
      title={file && (file.code ?? `${file.inspectTypeName}（未提交）`)}
      tags={
        file && (
          <>
            <GradeTag grade={file.grade} />
            <DayStateTag row={file} />
            {file.surprise && <Tag tone="warning">飞检</Tag>}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '检查人员', value: file.checkers.join('、') },
              { label: open ? '计划日期' : '检查时间', value: open ? file.plannedDate : file.checkTime.slice(0, 16) },
              { label: '得分', value: marks(file.score) },
              { label: '整改', value: `未闭合 ${file.openRectify} / ${file.allRectify}` },
            ]
          : []
      }
      actions={
        file &&
        (file.code ? (
          <>
            <Button onClick={() => go('/jgt/daycheck/checkResult', { id })}>检查结果</Button>
            <Button
              icon={<PrinterOutlined />}
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'daycheckRecord', exportType: 'pdf', query: { id } } })}
            >
              打印
            </Button>
          </>
        ) : (
          open &&
          file.mine && (
            <Button type="primary" onClick={() => go('/jgt/daycheck/edit', { id })}>
              {file.state === dayCheckStates.planned ? '去检查' : '继续检查'}
            </Button>
          )
        ))
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Acts file={file} />
            {file.code && <SignaturesCard rows={file.signatures} call={signDayCheck} id={file.id} />}
            <Course lines={file.timeline} bad={['cancel']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Acts({ file }: { file: DayCheckDetail }) {
  const go = useGo()
  const act = useAct(changeDayCheck, { success: '检查已取消' })
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const cancel = async () => {
    const opinion = await askReason(`取消 ${file.projectName} ${file.plannedDate} 的检查`, '取消原因')
    if (opinion)
      await act.run({ params: { id: file.id }, query: { projectCode: '*' }, body: { action: 'cancel', version: file.version, opinion } })
  }
  const actions = [
    ...(may('assign') ? [{ label: '调整任务', run: () => go('/jgt/daycheck/edit', { id: file.id }) }] : []),
    ...(may('cancel') ? [{ label: '取消检查', danger: true, run: cancel }] : []),
  ]
  return <Handling actions={actions} busy={act.running} none={`${file.stateName}，现在没有需要您办理的事项`} />
}

function Content({ file }: { file: DayCheckDetail }) {
  const { checkIn } = file
  return (
    <>
      <LifeLine file={file} />
      {file.locationAbnormal && <Notice tone="warning">签到异常：{checkIn?.abnormalReason}</Notice>}
      {file.remark && (
        <Notice tone="info">
          受检单位说明（{file.remark.byName}）：{file.remark.text}
        </Notice>
      )}
      <Card title="概况">
        <Pairs
          items={[
            { label: '检查类型', value: `${file.inspectTypeName}（${file.disciplineNames.join('、')}）` },
            { label: '检查单位', value: file.checkerGroupName },
            { label: '形象进度', value: file.progressName },
            { label: '签到', value: checkIn && `${checkIn.at.slice(0, 16)} ${checkIn.byName}` },
            {
              label: '距围栏',
              value: checkIn && (checkIn.outsideM === null ? '未知' : checkIn.outsideM === 0 ? '围栏内' : `${checkIn.outsideM} 米`),
            },
            { label: '在场时长', value: checkIn?.stayMinutes == null ? null : `${checkIn.stayMinutes} 分钟` },
            { label: '结论', value: file.conclusionName },
            {
              label: '监督计划',
              value: file.planId && <Link to={hrefOf('/jgt/checkplan/details', { id: file.planId })}>查看计划</Link>,
            },
          ]}
        />
      </Card>
      {file.presence.length > 0 && (
        <Card title="到岗核查" remark={`在场 ${file.presence.filter((one) => one.state === 'in').length} / ${file.presence.length}`}>
          <PresenceTable rows={file.presence} />
        </Card>
      )}
      <Card title="单体检查" remark={`${file.units.filter((one) => one.done).length} / ${file.units.length} 完成`}>
        <ul className="day-units">
          {file.units.map((unit) => (
            <li key={unit.id}>
              <Link className="day-unit" to={hrefOf('/jgt/daycheck/momomerCheck', { id: file.id, unit: unit.id })}>
                <b>{unit.name}</b>
                <progress max={Math.max(1, unit.items)} value={unit.judged} aria-label={`${unit.name}进度`} />
                <span className="zg-row zg-gap-6">
                  <span className="zg-num">
                    {unit.judged} / {unit.items}
                  </span>
                  {unit.wrong > 0 && <Tag tone="danger">不合格 {unit.wrong}</Tag>}
                  <span className="zg-2 zg-end">{unit.doneBy ?? unit.savedBy}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <FoundProblems file={file} />
      <Notices file={file} />
      <Photos file={file} />
    </>
  )
}

const hours = (from: string, to: string) => {
  const n = (Date.parse(to.replace(' ', 'T')) - Date.parse(from.replace(' ', 'T'))) / 3_600_000
  return n < 24 ? `${Math.max(0, Math.round(n * 10) / 10)} 小时` : `${Math.round(n / 24)} 天`
}

/** Plan, arrival, units, submission, notices, replies, closing: each with its time and the gap before it. */
function LifeLine({ file }: { file: DayCheckDetail }) {
  const last = (all: readonly (string | null)[]) => (all.length > 0 && all.every(Boolean) ? (all.toSorted().at(-1) ?? null) : null)
  const issued = file.notices.map((one) => one.issueTime)
  const steps = [
    { name: '计划', at: `${file.plannedDate} 09:00:00` },
    { name: '签到', at: file.checkIn?.at ?? null },
    { name: '单体', at: last(file.units.map((one) => (one.done ? one.savedAt : null))) },
    { name: '提交', at: file.submitTime },
    ...(file.notices.length > 0
      ? [
          { name: '下发', at: last(issued) },
          { name: '回复', at: last(file.notices.map((one) => one.replyTime ?? one.closeTime)) },
          { name: '闭合', at: last(file.notices.map((one) => one.closeTime)) },
        ]
      : []),
  ]
  return (
    <Card title="检查过程" remark={file.notices.some((one) => one.returns > 0) ? '有整改被退回' : undefined}>
      <ol className="day-life">
        {steps.map(({ name, at }, i) => {
          const before = steps
            .slice(0, i)
            .toReversed()
            .find((one) => one.at)?.at
          return (
            <li key={name} data-done={at ? '' : undefined}>
              <b>{name}</b>
              <small>{at ? at.slice(5, 16) : '--'}</small>
              {at && before && i > 1 && <small>间隔 {hours(before, at)}</small>}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

/** The photographs of the walk: arrival, items, problems. */
function Photos({ file }: { file: DayCheckDetail }) {
  const all = [
    ...(file.checkIn?.photos ?? []).map((src) => ({ src, name: '到场' })),
    ...file.units.flatMap((unit) =>
      unit.sheets.flatMap((sheet) => sheet.items.flatMap((item) => item.photos.map((src) => ({ src, name: `${unit.name} ${item.name}` })))),
    ),
    ...file.problems.flatMap((one) => [...one.photos, ...one.mendedPhotos].map((src) => ({ src, name: `${one.part} 问题 ${one.seq}` }))),
  ]
  const shown = all.filter(({ src }, i) => all.findIndex((one) => one.src === src) === i)
  if (shown.length === 0) return null
  return (
    <Card title="照片" remark={`${shown.length} 张`}>
      <ul className="day-photos">
        {shown.map(({ src, name }) => (
          <li key={src}>
            <Thumb src={src} name={name} width={128} height={96} />
            <small className="zg-2">{name}</small>
          </li>
        ))}
      </ul>
    </Card>
  )
}
