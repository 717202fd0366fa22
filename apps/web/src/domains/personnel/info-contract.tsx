import { PlusOutlined } from '@ant-design/icons'
import { signModes } from '@zhugong/contract/personnel/codes'
import type { ContractRow } from '@zhugong/contract/personnel/paper-model'
import { saveContract, workerContracts } from '@zhugong/contract/personnel/papers'
import { contractStates, openEndOf, openEndWords } from '@zhugong/contract/personnel/rules'
import { workerProjects } from '@zhugong/contract/personnel/workers'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag, type Tone } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { amount, day, daysLeft } from '#kit/format.ts'
import { Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { usePageQuery } from '#kit/page.tsx'
import { UploadState } from '../docking/public.tsx'
import { ContractTerms } from './contract-terms.tsx'
import { HeldCan } from './held.tsx'
import { LifeBar } from './life-bar.tsx'
import { PaperScan } from './paper-scan.tsx'

const { Field, useValue } = formOf(saveContract)

const tones: Record<ContractRow['state'], Tone> = {
  future: 'running',
  valid: 'fine',
  ending: 'warning',
  ended: 'danger',
  terminated: 'neutral',
}
const lifeTones = { future: 'neutral', valid: 'valid', ending: 'warning', ended: 'danger', terminated: 'neutral' } as const

/** Contracts of a person, and whether they were signed in time. */
export default function InfoContract() {
  const id = usePageQuery().get('id') ?? ''
  const read = useCall(workerContracts, { params: { id } }, { quiet: true, staleMs: 15_000 })
  const [editing, setEditing] = useState<{ row: Partial<ContractRow>; mode: 'new' | 'edit' | 'renew' | 'end' }>()
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const rows = read.data.list
  return (
    <>
      <Card
        title="合同"
        remark={rows.length ? `${rows.length} 份，有效 ${rows.filter((r) => r.state === 'valid' || r.state === 'ending').length} 份` : ''}
        actions={
          <HeldCan workerId={id} call={saveContract}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({ row: {}, mode: 'new' })}>
              新签
            </Button>
          </HeldCan>
        }
        flush
      >
        {rows.length === 0 ? (
          <Empty text="还没有合同" hint="用工之日起一个月内签订；未签的不能转正式" />
        ) : (
          rows.map((k) => (
            <div className="per-paper" key={k.id}>
              <PaperScan file={k.files[0]} name={`合同 ${k.contractCode}`} />
              <div>
                <div className="title">
                  {k.contractKindName}
                  <Tag tone={tones[k.state]}>{contractStates[k.state]}</Tag>
                  {k.late && <Tag tone="warning">迟签</Tag>}
                  <UploadState objectType="workerContract" sourceId={k.id} />
                </div>
                <div>
                  {k.contractCode} · {k.contractPeriodTypeName}
                </div>
                <div className="zg-2">
                  {k.corpName} · {k.projectName}
                </div>
                <div>
                  {k.paymentTypeName}{' '}
                  {k.unitPrice ? `${amount(k.unitPrice)} 元/${k.unitName ?? '单位'}` : k.salary ? `${amount(k.salary)} 元` : ''}，每月{' '}
                  {k.payDay} 日发薪
                </div>
                <div className="zg-2">
                  {k.signDate} {k.signMode === signModes.electronic ? '电子签订' : '纸质签订'}
                  {k.terminateDate && `；${k.terminateDate} 终止：${k.terminateReason ?? ''}`}
                </div>
              </div>
              <LifeBar
                from={k.startDate}
                to={k.terminateDate ?? k.endDate}
                tone={lifeTones[k.state]}
                open={openEndOf(k.contractPeriodType)}
                remark={k.terminateDate ? '已终止' : k.endDate ? daysLeft(k.endDate) : openEndWords(k.contractPeriodType)}
              />
              <div className="acts">
                <Can call={saveContract}>
                  {k.state !== 'terminated' && (
                    <>
                      <button type="button" className="zg-bare zg-link" onClick={() => setEditing({ row: k, mode: 'renew' })}>
                        续签
                      </button>
                      <button type="button" className="zg-bare zg-link" onClick={() => setEditing({ row: k, mode: 'edit' })}>
                        修改
                      </button>
                      <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => setEditing({ row: k, mode: 'end' })}>
                        终止
                      </button>
                    </>
                  )}
                </Can>
              </div>
            </div>
          ))
        )}
      </Card>
      {editing && <ContractDrawer workerId={id} {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

const titles = { new: '新签合同', edit: '修改合同', renew: '续签合同', end: '终止合同' } as const

function ContractDrawer({
  workerId,
  row,
  mode,
  onClose,
}: {
  workerId: string
  row: Partial<ContractRow>
  mode: keyof typeof titles
  onClose: () => void
}) {
  const act = useAct(saveContract)
  const bound = useCall(workerProjects, { params: { id: workerId } })
  const last = bound.data?.list[0]
  if (!bound.data) return null
  const renewed =
    mode === 'renew'
      ? {
          id: undefined,
          contractCode: undefined,
          startDate: row.endDate ?? day(Date.now()),
          endDate: undefined,
          signDate: day(Date.now()),
          files: [],
        }
      : {}
  return (
    <FormDrawer
      open
      act={act}
      title={titles[mode]}
      remark={row.contractCode || undefined}
      initial={{
        contractKind: '1',
        contractPeriodType: '1',
        paymentType: '1',
        payDay: 15,
        signMode: '1',
        startDate: last ? day(last.entryTime) : undefined,
        signDate: day(Date.now()),
        projectCode: last?.projectCode,
        corpCode: last?.corpCode,
        files: [],
        ...row,
        ...renewed,
        ...(mode === 'end' ? { terminateDate: day(Date.now()) } : {}),
        workerId,
      }}
      onClose={onClose}
      saveText={mode === 'end' ? '终止合同' : undefined}
    >
      {mode === 'end' ? (
        <>
          <Field name="terminateDate" label="终止日期" required>
            <DayInput />
          </Field>
          <Field name="terminateReason" label="终止原因" span="all" required help="合同不删除；终止后该项目须另签才能继续作业">
            <LongText maxLength={200} />
          </Field>
        </>
      ) : (
        <ContractFields
          stays={bound.data.list.map((s) => ({
            projectCode: s.projectCode,
            projectName: s.projectName,
            corpCode: s.corpCode,
            corpName: s.corpName ?? s.corpCode,
          }))}
        />
      )}
    </FormDrawer>
  )
}

function ContractFields({ stays }: { stays: readonly { projectCode: string; projectName: string; corpCode: string; corpName: string }[] }) {
  const dicts = useDicts('contractKind')
  const project = useValue('projectCode')
  const once = (pairs: [string, string][]) => [...new Map(pairs)].map(([value, label]) => ({ value, label }))
  return (
    <>
      <Field name="contractCode" label="合同编号">
        <Input maxLength={50} />
      </Field>
      <Field name="contractKind" label="合同类别">
        <Choice options={dicts.options('contractKind')} />
      </Field>
      <Field name="projectCode" label="项目">
        <Choice options={once(stays.map((s) => [s.projectCode, s.projectName]))} />
      </Field>
      <Field name="corpCode" label="用人单位">
        <Choice options={once(stays.filter((s) => s.projectCode === project).map((s) => [s.corpCode, s.corpName]))} />
      </Field>
      <ContractTerms startHelp="应不晚于进场日期；晚于的，起始日前进场条件“合同”不算齐" />
      <Field name="files" label="合同附件" span="all" help="扫描件或签章 PDF">
        <Upload max={6} accept="image/*,application/pdf" />
      </Field>
    </>
  )
}
