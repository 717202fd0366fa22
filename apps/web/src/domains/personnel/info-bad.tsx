import { PlusOutlined } from '@ant-design/icons'
import { createLaborBlack } from '@zhugong/contract/labour/black'
import type { BadRow } from '@zhugong/contract/personnel/bad-record-model'
import {
  auditBadRecord,
  createBadRecord,
  removeBadRecord,
  updateBadRecord,
  workerBadRecords,
} from '@zhugong/contract/personnel/bad-records'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { workerProjects } from '@zhugong/contract/personnel/workers'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, thousands } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { UploadState } from '../docking/public.tsx'
import { badStateWords } from './stay-words.ts'

const { Field } = formOf(updateBadRecord, createBadRecord, auditBadRecord)

/** Bad records of a person: state, and whether each still counts. */
export default function InfoBad() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(workerBadRecords, { params: { id } }, { quiet: true, staleMs: 15_000 })
  const [editing, setEditing] = useState<Partial<BadRow>>()
  const audit = useAct(auditBadRecord, { success: '已审核' })
  const remove = useAct(removeBadRecord, { success: '已删除' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const rows = read.data.list
  const counting = rows.filter((r) => r.counts)
  const reject = async (r: BadRow) => {
    const opinion = await askReason('驳回这条不良记录', '驳回意见')
    if (opinion) await audit.run({ body: { id: r.id, result: '2', opinion } })
  }
  const drop = (r: BadRow) =>
    remove.afterRequesting(
      {
        thing: `删除 ${r.occurrenceDate} 的不良记录`,
        consequence: '未认定的记录删除后不留痕，操作日志除外。',
        verb: '删除',
        keep: '保留',
      },
      { params: { id: r.id } },
    )
  return (
    <>
      <FigureStrip
        items={[
          { label: '影响期内', value: thousands(counting.length), unit: '条', tone: counting.length ? 'danger' : undefined },
          { label: '累计扣分', value: thousands(counting.reduce((sum, r) => sum + (r.score ?? 0), 0)), unit: '分', remark: '只计影响期内' },
          { label: '待审核', value: thousands(rows.filter((r) => r.auditStatus === auditStates.waiting).length), unit: '条' },
          {
            label: '已过影响期',
            value: thousands(rows.filter((r) => r.auditStatus === auditStates.passed && !r.counts).length),
            unit: '条',
          },
        ]}
      />
      <Card
        title="不良记录"
        remark="登记人和审核人不能是同一人"
        actions={
          <>
            {counting.length > 0 && (
              <Can call={createLaborBlack}>
                <Button onClick={() => go('/laborBlackEdit', { workerId: id })}>建议列入黑名单</Button>
              </Can>
            )}
            <Can call={createBadRecord}>
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({})}>
                登记
              </Button>
            </Can>
          </>
        }
        flush
      >
        {rows.length === 0 ? (
          <Empty text="没有不良记录" />
        ) : (
          <table className="per-simple">
            <thead>
              <tr>
                <th>发生日期</th>
                <th>行为</th>
                <th>项目</th>
                <th>经过与处理</th>
                <th>扣分</th>
                <th>影响期至</th>
                <th>状态</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((r) => {
                const lapsed = r.auditStatus === auditStates.passed && !r.counts
                return (
                  <tr key={r.id} className={lapsed ? 'zg-2' : ''}>
                    <td className="zg-num zg-nowrap">{r.occurrenceDate}</td>
                    <td>
                      {r.badRecordTypeName ?? '类别未登记'}
                      <div className="zg-2">
                        {r.badRecordLevelName} · {r.actionDegreeName}
                      </div>
                    </td>
                    <td>{r.projectName}</td>
                    <td className="per-reason">
                      {r.reason}
                      {r.processResult && <div className="zg-2">处理：{r.processResult}</div>}
                      <div className="zg-row zg-gap-4 zg-above-4">
                        {r.files.map((f) => (
                          <Thumb key={f} src={f} name="证据" width={48} height={36} />
                        ))}
                      </div>
                    </td>
                    <td className="zg-num">{r.score ?? '--'}</td>
                    <td className="zg-num zg-nowrap">{r.validUntil ?? '--'}</td>
                    <td>
                      <Tag
                        tone={
                          r.auditStatus === auditStates.waiting
                            ? 'running'
                            : r.auditStatus === auditStates.passed
                              ? lapsed
                                ? 'neutral'
                                : 'warning'
                              : 'neutral'
                        }
                        icon={false}
                      >
                        {badStateWords(r)}
                      </Tag>
                      <UploadState objectType="workerBad" sourceId={r.id} />
                    </td>
                    <td className="zg-nowrap">
                      <span className="zg-row">
                        {r.auditStatus === auditStates.waiting && !r.own && (
                          <Can call={auditBadRecord}>
                            <button
                              type="button"
                              className="zg-bare zg-link"
                              onClick={() => void audit.run({ body: { id: r.id, result: '1' } })}
                            >
                              认定
                            </button>
                            <button type="button" className="zg-bare zg-link" onClick={() => void reject(r)}>
                              驳回
                            </button>
                          </Can>
                        )}
                        {r.auditStatus !== auditStates.passed && (
                          <Can call={updateBadRecord}>
                            <button type="button" className="zg-bare zg-link" onClick={() => setEditing(r)}>
                              修改
                            </button>
                            <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => void drop(r)}>
                              删除
                            </button>
                          </Can>
                        )}
                      </span>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </Card>
      {editing && <BadDrawer workerId={id} row={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

function BadDrawer({ workerId, row, onClose }: { workerId: string; row: Partial<BadRow>; onClose: () => void }) {
  const dicts = useDicts('badActionType', 'actionLevel', 'actionDegree')
  const bound = useCall(workerProjects, { params: { id: workerId } })
  const create = useAct(createBadRecord)
  const update = useAct(updateBadRecord)
  const projects = [...new Map((bound.data?.list ?? []).map((s) => [s.projectCode, s.projectName]))].map(([value, label]) => ({
    value,
    label,
  }))
  const fields = (
    <>
      <Field name="projectCode" label="项目">
        <Choice options={projects} />
      </Field>
      <Field name="occurrenceDate" label="发生日期" help="须在该项目在场期内">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="badRecordType" label="行为类别">
        <Choice options={dicts.options('badActionType')} />
      </Field>
      <Field name="badRecordLevel" label="严重程度">
        <Choice options={dicts.options('actionLevel')} />
      </Field>
      <Field name="actionDegree" label="认定级别">
        <Choice options={dicts.options('actionDegree')} />
      </Field>
      <Field name="score" label="扣分" help="不填按轻 1、中 3、重 6">
        <NumberInput min={0} max={99} />
      </Field>
      <Field name="reason" label="详细情况" span="all" help="至少 10 个字">
        <LongText maxLength={1000} />
      </Field>
      <Field name="processResult" label="处理结果" span="all" help="审核通过前必填">
        <LongText maxLength={500} />
      </Field>
      <Field name="files" label="证据" span="all">
        <Upload max={9} accept="image/*,application/pdf" />
      </Field>
    </>
  )
  const initial = { actionDegree: '6', files: [], ...row, workerId }
  return row.id ? (
    <FormDrawer
      open
      act={update}
      title="修改不良记录"
      initial={initial}
      input={(body) => ({ params: { id: row.id ?? '' }, body })}
      onClose={onClose}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer open act={create} title="登记不良记录" initial={initial} onClose={onClose}>
      {fields}
    </FormDrawer>
  )
}
