import {
  type BriefingDesk,
  type BriefingDetail,
  briefingDesk,
  changeManagerBriefing,
  createManagerBriefing,
  getManagerBriefing,
} from '@zhugong/contract/briefings/calls'
import { briefingStates, managerKinds } from '@zhugong/contract/briefings/moves'
import { AutoComplete } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { type BodyOf, FieldGroup, FormPage, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, paths } from './briefing-words.tsx'
import { ContentFields, NameFields, Sources, WorkField } from './content-fields.tsx'
import { Receivers } from './receivers.tsx'
import './briefings.css'

const { Field } = formOf(createManagerBriefing)
type Body = BodyOf<typeof createManagerBriefing>

/** Records a briefing of managers. `?id=` opens a draft or changes what is being signed. */
export default function ManagerFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Known id={id} />
  if (projectCode === '*') return <ProjectPicker why="向哪个项目交底" />
  return <Create key={projectCode} projectCode={projectCode} />
}

function Known({ id }: { id: string }) {
  const read = useCall(getManagerBriefing, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <Change key={read.data.version} file={read.data} />
}

const useDesk = (projectCode: string) => useCall(briefingDesk, { query: { projectCode } }, { quiet: true })

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const own = useMe((me) => me.info?.name ?? '')
  const desk = useDesk(projectCode)
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    action: 'begin',
    kind: 'plan',
    date: day(Date.now()),
    discloser: own,
    files: [],
    receivers: [],
  }))
  const [held, hold, clear] = useDeviceDraft<Values>(`manager briefing ${projectCode}`, fresh)
  const act = useAct(createManagerBriefing, {
    success: '已保存',
    onDone: ({ id }) => {
      clear()
      page.leave(hrefOf(paths.overseeDetail, { id }))
    },
  })
  return (
    <FormPage
      act={act}
      title="方案与监督交底"
      remark="向项目管理人员交底；向班组交底在“项目技术交底”"
      saveText="保存"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
      aside={<Sources desk={desk.data && { ...desk.data, measures: [] }} onFilled={hold} />}
    >
      <Fields projectCode={projectCode} desk={desk.data} isNew />
    </FormPage>
  )
}

function Change({ file }: { file: BriefingDetail }) {
  const page = usePage()
  const desk = useDesk(file.projectCode)
  const signing = file.state === briefingStates.signing
  const [held, hold, clear] = useDeviceDraft<Values>(`manager briefing change ${file.id} ${file.version}`, {
    ...fieldsOf(file),
    id: file.id,
    action: signing ? 'amend' : 'begin',
  })
  const act = useAct(changeManagerBriefing, {
    success: '已保存',
    onDone: () => {
      clear()
      page.leave(hrefOf(paths.overseeDetail, { id: file.id }))
    },
  })
  const run: typeof act.run = async (...given) => {
    const count = file.signatureCount
    const sure =
      !signing ||
      count === 0 ||
      (await confirmDanger({
        thing: `修改 ${file.name} 的内容`,
        consequence: `已有的 ${count} 个签名全部失效，须重新签字。`,
        verb: `修改并使 ${count} 个签名失效`,
        keep: '不修改',
      }))
    return sure ? act.run(...given) : undefined
  }
  return (
    <FormPage
      act={{ ...act, run }}
      title="方案与监督交底"
      remark={signing ? '修改签字中的交底' : '草稿'}
      saveText={signing ? '保存修改' : '保存'}
      loading={!held}
      schema={createManagerBriefing.schemas.body}
      initial={held ?? {}}
      onValues={hold}
      input={(given) => {
        const { id: _id, action, ...fields } = given as unknown as Body
        const own = signing ? { action: 'amend' as const, voiding: file.signatureCount } : { action }
        return { params: { id: file.id }, query: anyProject, body: { ...fields, ...own, version: file.version } }
      }}
      aside={<Sources desk={desk.data && { ...desk.data, measures: [] }} onFilled={hold} />}
    >
      {signing && file.signatureCount > 0 && (
        <Notice tone="danger">已有 {file.signatureCount} 人签字。修改内容后，这些签名全部失效，须重新签字。</Notice>
      )}
      <Fields projectCode={file.projectCode} desk={desk.data} isNew={!signing} />
    </FormPage>
  )
}

function fieldsOf(file: BriefingDetail): Values {
  const { kind, name, part, bigProjectId, content, files, date, discloser } = file
  return {
    ...{ kind, name, part, bigProjectId, content, files, date, discloser },
    receivers: file.receivers.map((one) => one.stayId),
    replacesId: file.replaces?.id ?? null,
  }
}

function Fields({ projectCode, desk, isNew }: { projectCode: string; desk: BriefingDesk | undefined; isNew: boolean }) {
  const managers = desk?.managers.map((one) => ({ value: one.name, label: `${one.name} ${one.role}` })) ?? []
  return (
    <>
      <FieldGroup title="交底">
        <Field name="kind" label="类型">
          <Choice clear={false} options={Object.entries(managerKinds).map(([value, label]) => ({ value, label }))} />
        </Field>
        <WorkField desk={desk} />
        <Field name="date" label="交底日期">
          <DayInput max={day(Date.now())} />
        </Field>
        <NameFields />
        <Field name="discloser" label="交底人" help="本人签字">
          <AutoComplete options={managers} />
        </Field>
      </FieldGroup>
      <FieldGroup title="被交底人" remark="用自己的账号签字，或在交底人的平板上签字">
        <Field name="receivers" label="管理人员" span="all">
          <Receivers projectCode={projectCode} teamId={undefined} managers />
        </Field>
      </FieldGroup>
      <ContentFields />
      {isNew && (
        <FieldGroup title="办理">
          <Field name="action" label="办理">
            <Choice
              clear={false}
              options={[
                { value: 'begin', label: '发起签字' },
                { value: 'save', label: '先存草稿' },
              ]}
            />
          </Field>
        </FieldGroup>
      )}
    </>
  )
}
