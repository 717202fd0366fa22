import { PlusOutlined } from '@ant-design/icons'
import type { ResumeRow } from '@zhugong/contract/personnel/career-model'
import { addMyRecord, listMyRecords, removeMyRecord } from '@zhugong/contract/settings/my-person'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { DayInput, TreeChoice } from '#kit/inputs.tsx'
import { DisputeDrawer } from './ask-drawers.tsx'
import { NoPerson } from './link-person.tsx'
import { OwnDays, OwnTrainings, useOwnDays, useOwnTrainings } from './own-days.tsx'
import { OwnProofs, useOwnProofs } from './own-proofs.tsx'
import { useOwnFile } from './use-own-file.ts'
import './settings.css'

const { Field } = formOf(addMyRecord)

/** The user's work history: projects, periods, attendance. */
export default function PersonalRecordPage() {
  const file = useOwnFile()
  const mine = Boolean(file.person)
  const read = useCall(listMyRecords, {}, { quiet: true, enabled: mine, staleMs: 15_000 })
  // Wait for all cards: loaded one by one, they would push each other down.
  const below = [useOwnProofs(mine), useOwnDays(undefined, mine), useOwnTrainings(1, mine)]
  const [adding, setAdding] = useState(false)
  const error = file.error ?? read.error
  if (error) return <ErrorPanel error={error} retry={read.refetch} />
  if (!file.known) return <DetailSkeleton />
  if (!file.person) return <NoPerson shows="这里按时间列出参加过的项目、班组和出勤天数" />
  if (!read.data || below.some((one) => one.isPending)) return <DetailSkeleton />
  const { list, years, attendDays } = read.data
  return (
    <>
      <Card title="各年出勤" remark={`平台记录的出勤共 ${attendDays} 天`}>
        {years.length === 0 ? (
          <span className="zg-2">平台上还没有出勤记录</span>
        ) : (
          <div className="set-years">
            {years.map(({ year, days }) => (
              <span key={year}>
                {year} 年<b>{days} 天</b>
              </span>
            ))}
          </div>
        )}
      </Card>
      <Card
        title="从业经历"
        remark={`${list.length} 段`}
        actions={
          <Button icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            补充以前的经历
          </Button>
        }
        flush
      >
        {list.length === 0 ? (
          <Empty small text="还没有从业记录" />
        ) : (
          <ol className="set-career">
            {list.map((stay) => (
              <Stay key={stay.id} stay={stay} />
            ))}
          </ol>
        )}
      </Card>
      <OwnProofs />
      <OwnDays />
      <OwnTrainings />
      {adding && <AddDrawer onClose={() => setAdding(false)} />}
    </>
  )
}

function Stay({ stay }: { stay: ResumeRow }) {
  const [disputing, setDisputing] = useState(false)
  const remove = useAct(removeMyRecord, { success: '已删除' })
  const own = stay.source === 'own'
  const ask = () =>
    remove.afterRequesting(
      { thing: `删除自填经历 ${stay.projectName}`, consequence: '只删除自填的这一段。', verb: '删除', keep: '保留' },
      {
        params: { id: stay.id },
      },
    )
  return (
    <li className={own ? 'own' : ''}>
      <h3>
        {stay.projectName}
        <Tag tone={own ? 'neutral' : 'fine'}>{own ? '自填' : '平台考勤'}</Tag>
        {stay.overlaps && <Tag tone="warning">与另一段时间重叠</Tag>}
      </h3>
      <div>{[stay.corpName, stay.teamName, stay.workTypeName].filter(Boolean).join(' · ') || '--'}</div>
      <div className="zg-2">
        {stay.entryTime} 至 {stay.exitTime ?? '今'}
        {stay.attendDays !== null && `，出勤 ${stay.attendDays} 天`}
        {stay.exitReasonName && `，${stay.exitReasonName}`}
      </div>
      {own && (
        <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => void ask()}>
          删除
        </button>
      )}
      {stay.source === 'platform' && (
        <button type="button" className="zg-bare zg-link" onClick={() => setDisputing(true)}>
          对此段有异议
        </button>
      )}
      {disputing && (
        <DisputeDrawer
          of={{ subject: 'stay', stayId: stay.id, says: `${stay.projectName}，${stay.entryTime} 至 ${stay.exitTime ?? '今'}` }}
          onClose={() => setDisputing(false)}
        />
      )}
    </li>
  )
}

function AddDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(addMyRecord, { success: '已保存，标注为自填' })
  const dicts = useDicts('workerType')
  return (
    <FormDrawer open act={act} title="补充以前的经历" remark="标注为自填，不代替平台考勤" onClose={onClose}>
      <Field name="projectName" label="项目">
        <Input />
      </Field>
      <Field name="corpName" label="企业">
        <Input />
      </Field>
      <Field name="teamName" label="班组">
        <Input />
      </Field>
      <Field name="workType" label="工种">
        <TreeChoice tree={dicts.tree('workerType')} />
      </Field>
      <Field name="entryTime" label="开始日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="exitTime" label="离开日期">
        <DayInput max={day(Date.now())} />
      </Field>
    </FormDrawer>
  )
}
