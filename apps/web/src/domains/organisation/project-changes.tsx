import { changeStates } from '@zhugong/contract/organisation/codes'
import { pickGovernments } from '@zhugong/contract/organisation/governments'
import type { ProjectChangeRow } from '@zhugong/contract/organisation/model'
import {
  auditProjectChange,
  fileProjectChange,
  listProjectChanges,
  withdrawProjectChange,
} from '@zhugong/contract/organisation/project-changes'
import { fillProject } from '@zhugong/contract/organisation/projects'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCanAll } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag, type Tone } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { CorporationInput } from './corporation-input.tsx'
import { FenceCard } from './fence-drawer.tsx'

const { Field } = formOf(fileProjectChange, auditProjectChange)

/** Companies that run the project and the site apply for changes; platform and authorities decide. */
export function useMayApply(): (projectCode: string) => boolean {
  const isApplicant = (useGroupType() ?? 0) >= 2
  const may = useCanAll()
  return (projectCode) => isApplicant && may(fileProjectChange, { projectCode })
}

const tones: Record<string, Tone> = { '0': 'warning', '1': 'fine', '2': 'danger' }

/** Registered facts a site cannot edit (position, supervision, owner, contractor); changed by application. */
export function RegistrationDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const filled = useCall(fillProject, { params: { projectCode } }, { quiet: true, staleMs: 0 })
  const mayApply = useMayApply()
  const [applying, setApplying] = useState(false)
  const p = filled.data
  if (applying) return <ApplyDrawer projectCode={projectCode} onClose={() => setApplying(false)} />
  return (
    <PageDrawer open size={720} title="项目登记" onClose={onClose}>
      {filled.error && <ErrorPanel error={filled.error} retry={filled.refetch} />}
      {!filled.error && !p && <DetailSkeleton />}
      {p && (
        <Card
          title={p.name}
          remark="由监管机构核定"
          actions={mayApply(projectCode) && <Button onClick={() => setApplying(true)}>申请变更</Button>}
        >
          <Pairs
            items={[
              { label: '项目所在地', value: p.areaName },
              { label: '监督机构', value: p.superviseOrgName },
              { label: '建设单位', value: p.buildCorpName },
              { label: '总承包单位', value: p.contractorCorpName },
            ]}
          />
        </Card>
      )}
      <div className="zg-above-12">
        <FenceCard projectCode={projectCode} />
      </div>
      <ChangeCards projectCode={projectCode} />
    </PageDrawer>
  )
}

/** Change applications of one project, or of all visible ones; waiting ones first. */
export function ChangesDrawer({ projectCode, onClose }: { projectCode?: string; onClose: () => void }) {
  return (
    <PageDrawer open size={720} title="登记变更申请" onClose={onClose}>
      <ChangeCards projectCode={projectCode} />
    </PageDrawer>
  )
}

const shownChanges = 100

export function ChangeCards({ projectCode }: { projectCode?: string | undefined }) {
  const query = { size: shownChanges, projectCode: projectCode || undefined }
  const changes = useCall(listProjectChanges, { query }, { quiet: true, staleMs: 0 })
  const [deciding, setDeciding] = useState<ProjectChangeRow>()
  if (changes.error) return <ErrorPanel error={changes.error} retry={changes.refetch} />
  if (!changes.data) return <DetailSkeleton />
  if (changes.data.list.length === 0) return <Empty text="没有登记变更申请" />
  return (
    <div className={`zg-stack-12 ${projectCode ? 'zg-above-12' : ''}`}>
      {changes.data.total > shownChanges && <Notice tone="info">只显示最近 {shownChanges} 项</Notice>}
      {changes.data.list.map((row) => (
        <ChangeCard key={row.id} row={row} onDecide={() => setDeciding(row)} />
      ))}
      {deciding && <DecideDrawer change={deciding} onClose={() => setDeciding(undefined)} />}
    </div>
  )
}

function ChangeCard({ row, onDecide }: { row: ProjectChangeRow; onDecide: () => void }) {
  const withdraw = useAct(withdrawProjectChange, { success: '申请已撤回' })
  const takeBack = () =>
    withdraw.afterRequesting(
      {
        thing: `撤回 ${row.projectName} 的变更申请`,
        consequence: '登记保持不变，可以重新申请。',
        verb: '撤回',
        keep: '保留',
      },
      { params: { id: row.id } },
    )
  return (
    <Card
      title={row.projectName}
      remark={
        <Tag tone={tones[row.state] ?? 'neutral'} icon={false}>
          {row.stateName}
        </Tag>
      }
      actions={
        row.state === changeStates.waiting && (
          <>
            {row.mayWithdraw && <Button onClick={() => void takeBack()}>撤回</Button>}
            <Can call={auditProjectChange}>
              <Button type="primary" onClick={onDecide}>
                审定
              </Button>
            </Can>
          </>
        )
      }
    >
      <Pairs
        items={[
          ...row.changes.map((c) => ({ label: c.label, value: `${c.fromName ?? '未登记'} → ${c.toName}`, wide: true })),
          { label: '变更原因', value: row.reason, wide: true },
          { label: '申请', value: `${row.filedName}，${row.createTime}` },
          { label: '审定', value: row.decidedName && `${row.decidedName}，${row.decideTime}` },
          ...(row.opinion ? [{ label: '审定意见', value: row.opinion, wide: true }] : []),
        ]}
      />
    </Card>
  )
}

function useGovernmentOptions() {
  const governments = useCall(pickGovernments, { query: {} }, { quiet: true })
  return (governments.data?.list ?? []).map((g) => ({ value: g.code, label: g.name }))
}

export function ApplyDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const act = useAct(fileProjectChange, { success: '申请已提交，等待监管机构审定' })
  const governments = useGovernmentOptions()
  return (
    <FormDrawer
      open
      act={act}
      title="申请变更项目登记"
      remark="只填要变更的内容"
      initial={{ projectCode }}
      saveText="提交申请"
      onClose={onClose}
    >
      <Field name="areaCode" label="项目所在地" help="选到区县；监督机构由审定时一并确定">
        <AreaInput />
      </Field>
      {governments.length > 1 && (
        <Field name="superviseOrg" label="监督机构">
          <Choice options={governments} />
        </Field>
      )}
      <Field name="buildCorpCode" label="建设单位">
        <CorporationInput />
      </Field>
      <Field name="contractorCorpCode" label="总承包单位">
        <CorporationInput />
      </Field>
      <Field name="name" label="项目名称">
        <Input />
      </Field>
      <Field name="invest" label="总投资">
        <NumberInput unit="万元" />
      </Field>
      <Field name="contractPrice" label="合同总价">
        <NumberInput unit="万元" />
      </Field>
      <Field name="buildingArea" label="总面积">
        <NumberInput unit="㎡" />
      </Field>
      <Field name="startDate" label="开工日期">
        <DayInput />
      </Field>
      <Field name="completeDate" label="计划竣工日期">
        <DayInput />
      </Field>
      <Field name="reason" label="变更原因" span="all">
        <LongText />
      </Field>
    </FormDrawer>
  )
}

function DecideDrawer({ change, onClose }: { change: ProjectChangeRow; onClose: () => void }) {
  const act = useAct(auditProjectChange, { success: '已审定' })
  const governments = useGovernmentOptions()
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="审定登记变更"
      remark={change.projectName}
      initial={{ id: change.id, version: change.version }}
      saveText="提交"
      onClose={onClose}
    >
      <Field name="result" label="结果">
        <Choice
          options={[
            { value: '1', label: '通过' },
            { value: '2', label: '驳回' },
          ]}
        />
      </Field>
      {change.changes.some((c) => c.field === 'areaCode') && (
        <Field name="superviseOrg" label="监督机构" help="所在地变更后由哪个机构监督">
          <Choice options={governments} />
        </Field>
      )}
      <Field name="opinion" label="意见" help="驳回必填">
        <LongText />
      </Field>
    </FormDrawer>
  )
}
