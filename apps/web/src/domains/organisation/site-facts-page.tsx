import { getProjectFacts, saveProjectDaily } from '@zhugong/contract/organisation/project-facts'
import { Button, Input, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, NumberInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'
import { AlterForm } from './alter-form.tsx'
import { ChangeCards, useMayApply } from './project-changes.tsx'
import { Confirmation, type Facts, Gaps, Licences, PendingChanges, RegisteredGroup, Units } from './project-facts-parts.tsx'

const { Field } = formOf(saveProjectDaily)

const labels = {
  shortName: '项目简称',
  linkMan: '联系人',
  linkPhone: '联系人电话',
  chargeEmail: '负责人邮箱',
  description: '项目简介',
  phase: '形象进度',
  floorsUp: '地上层数',
  floorsDown: '地下层数',
  isClosedSite: '封闭管理',
  payRollCreateDay: '工资造册日',
  payRollDay: '发薪日',
} as const

/** Facts of the site: missing or outdated ones, and those the site may change itself. */
export default function SiteFactsPage() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || (chosen === '*' ? undefined : chosen)
  const read = useCall(getProjectFacts, { query: { projectCode } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <SiteFacts key={read.data.version} facts={read.data} />
}

function SiteFacts({ facts }: { facts: Facts }) {
  const { projectCode } = facts
  const act = useAct(saveProjectDaily, { success: '已保存' })
  const dicts = useDicts('projectPhase')
  const may = useCan(saveProjectDaily, { projectCode })
  const mayApply = useMayApply()
  const [applying, setApplying] = useState(false)
  // The phone is masked on reading; on saving it is sent complete or left out.
  const { linkPhone: masked, ...initial } = facts.daily
  const words = (value: unknown, key: string): string =>
    key === 'phase'
      ? dicts.name('projectPhase', value as string | null) || '无'
      : typeof value === 'boolean'
        ? value
          ? '是'
          : '否'
        : value === null || value === undefined || value === ''
          ? '无'
          : String(value)
  return (
    <SettingsForm
      act={act}
      title="项目信息"
      initial={initial}
      input={(values) => ({ body: { ...values, projectCode, version: facts.version } })}
      last={{ by: facts.updateBy, at: facts.updateTime }}
      lock={facts.closed ? '项目已终止监督，资料只读' : may ? undefined : '没有修改项目的权限，此处只供查看'}
      differences={(values) =>
        differencesOf({ ...initial, linkPhone: undefined }, { ...initial, linkPhone: undefined, ...values }, labels, words)
      }
      aside={
        <div className="fact-side">
          <Gaps facts={facts} fencePath="/informationSettings/electronicFence" />
          <Confirmation facts={facts} />
        </div>
      }
    >
      <PendingChanges count={facts.pendingChanges} />
      <FieldGroup title="日常" remark="项目部自己维护">
        <Field name="shortName" label="项目简称">
          <Input />
        </Field>
        <Field name="linkMan" label="联系人">
          <Input />
        </Field>
        <Field name="linkPhone" label="联系人电话" help={masked ? `现为 ${masked}，不填则不变` : '尚未填写'}>
          <Input />
        </Field>
        <Field name="chargeEmail" label="负责人邮箱">
          <Input />
        </Field>
        <Field name="phase" label="形象进度">
          <Choice options={dicts.options('projectPhase')} />
        </Field>
        <Field name="floorsUp" label="地上层数">
          <NumberInput min={0} max={200} />
        </Field>
        <Field name="floorsDown" label="地下层数">
          <NumberInput min={0} max={20} />
        </Field>
        <Field name="isClosedSite" label="封闭管理" valueName="checked">
          <Switch />
        </Field>
        <Field name="description" label="项目简介" span="all">
          <LongText rows={3} />
        </Field>
      </FieldGroup>
      <FieldGroup title="工资" remark="每月哪一天造册、发放">
        <Field name="payRollCreateDay" label="工资造册日">
          <NumberInput unit="日" min={1} max={28} />
        </Field>
        <Field name="payRollDay" label="发薪日">
          <NumberInput unit="日" min={1} max={28} />
        </Field>
      </FieldGroup>
      <Units facts={facts} placesPath="/informationSettings/places" />
      {facts.groups.map((group, at) => (
        <RegisteredGroup
          key={group.group}
          group={group}
          actions={at === 0 && mayApply(projectCode) && <Button onClick={() => setApplying(true)}>申请变更</Button>}
        />
      ))}
      <Licences list={facts.registered.builderLicenses} />
      <ChangeCards projectCode={projectCode} />
      {applying && <AlterForm projectCode={projectCode} onClose={() => setApplying(false)} />}
    </SettingsForm>
  )
}
