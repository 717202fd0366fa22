import { PlusOutlined } from '@ant-design/icons'
import type { ResumeRow } from '@zhugong/contract/personnel/career-model'
import { removeHistory, saveHistory, workerHistory } from '@zhugong/contract/personnel/careers'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, thousands } from '#kit/format.ts'
import { Choice, DayInput, LongText } from '#kit/inputs.tsx'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { HeldCan } from './held.tsx'

const { Field } = formOf(saveHistory)

/** Work history of a person: projects, periods, reasons of exit. */
export default function InfoResume() {
  const id = usePageQuery().get('id') ?? ''
  const read = useCall(workerHistory, { params: { id } }, { quiet: true, staleMs: 15_000 })
  const [editing, setEditing] = useState<Partial<ResumeRow>>()
  const remove = useAct(removeHistory, { success: '已删除' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const h = read.data
  if (!h) return <DetailSkeleton />
  const years = Map.groupBy(h.list, (r) => r.entryTime.slice(0, 4))
  const drop = (r: ResumeRow) =>
    remove.afterRequesting(
      {
        thing: `删除“${r.projectName}”这段自填经历`,
        consequence: '由进退场记录生成的经历不受影响。',
        verb: '删除',
        keep: '保留',
      },
      { params: { id: r.id } },
    )
  return (
    <>
      <FigureStrip
        items={[
          { label: '累计项目', value: thousands(h.projects), unit: '个' },
          { label: '累计出勤', value: thousands(h.attendDays), unit: '天', remark: '平台内项目' },
          { label: '最长一段', value: thousands(h.longestDays), unit: '天' },
          {
            label: '空档期',
            value: thousands(h.idleMonths),
            unit: '个月',
            remark: h.idleMonths >= 12 ? '满一年再进场须重新教育' : undefined,
            tone: h.idleMonths >= 12 ? 'warning' : undefined,
          },
        ]}
      />
      <Card
        title="从业经历"
        remark="蓝点由进退场记录生成，不能修改；黄点为本人自填"
        actions={
          <HeldCan workerId={id} call={saveHistory}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({})}>
              补充经历
            </Button>
          </HeldCan>
        }
        flush
      >
        {h.list.length === 0 ? (
          <Empty text="还没有从业经历" hint="进场后自动生成，也可以补充进平台以前的经历" />
        ) : (
          [...years].map(([year, rows]) => (
            <div className="per-year" key={year}>
              <h3>{year}</h3>
              <ol>
                {rows.map((r) => (
                  <li key={r.id} className={`per-stay ${r.source}`}>
                    <div className="line">
                      <strong>
                        {r.source === 'platform' ? (
                          <Link to={hrefOf('/personListDetails', { id: r.id, workerId: id })}>{r.projectName}</Link>
                        ) : (
                          r.projectName
                        )}
                      </strong>
                      <span>{r.workTypeName}</span>
                      {r.overlaps && <Tag tone="warning">时间重叠</Tag>}
                      {r.source === 'foreign' && <Tag>其他单位的项目</Tag>}
                      <span className="right zg-num">
                        {r.entryTime} 至 {r.exitTime ?? '今'}
                      </span>
                    </div>
                    <div className="line zg-2">
                      <span>
                        {[r.corpName, r.teamName].filter(Boolean).join(' · ') || (r.source === 'foreign' ? '单位和班组不公开' : '--')}
                      </span>
                      {r.attendDays !== null && <span>出勤 {r.attendDays} 天</span>}
                      {r.exitReasonName && <span>退场：{r.exitReasonName}</span>}
                      {r.evaluate && <span>评价：{r.evaluate}</span>}
                      {r.source === 'own' && (
                        <span className="right zg-row">
                          <HeldCan workerId={id} call={saveHistory}>
                            <button type="button" className="zg-bare zg-link" onClick={() => setEditing(r)}>
                              修改
                            </button>
                            <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => void drop(r)}>
                              删除
                            </button>
                          </HeldCan>
                        </span>
                      )}
                    </div>
                  </li>
                ))}
              </ol>
            </div>
          ))
        )}
      </Card>
      {editing && <ResumeDrawer workerId={id} row={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

function ResumeDrawer({ workerId, row, onClose }: { workerId: string; row: Partial<ResumeRow>; onClose: () => void }) {
  const dicts = useDicts('workerType')
  const act = useAct(saveHistory)
  const [id] = useState(row.id ?? uid())
  return (
    <FormDrawer
      open
      act={act}
      title={row.id ? '修改自填经历' : '补充经历'}
      initial={{
        workerId,
        projectName: row.projectName,
        corpName: row.corpName,
        teamName: row.teamName,
        workType: row.workType,
        entryTime: row.entryTime,
        exitTime: row.exitTime,
        evaluate: row.evaluate,
      }}
      input={(body) => ({ params: { id }, body })}
      onClose={onClose}
    >
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
        <Choice options={dicts.options('workerType')} />
      </Field>
      <Field name="entryTime" label="进场">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="exitTime" label="退场">
        <DayInput />
      </Field>
      <Field name="evaluate" label="评价" span="all">
        <LongText maxLength={200} />
      </Field>
    </FormDrawer>
  )
}
