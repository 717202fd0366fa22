import {
  type BriefingDesk,
  type BriefingDetail,
  briefingDesk,
  changeGangBriefing,
  createGangBriefing,
  getGangBriefing,
} from '@zhugong/contract/briefings/calls'
import { briefingStates } from '@zhugong/contract/briefings/moves'
import { AutoComplete } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, TreeChoice } from '#kit/inputs.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, paths } from './briefing-words.tsx'
import { ContentFields, NameFields, Sources, WorkField } from './content-fields.tsx'
import { Receivers } from './receivers.tsx'
import './briefings.css'

const { Field, useValue } = formOf(createGangBriefing)
type Body = BodyOf<typeof createGangBriefing>

/** Brief this gang on this part now. `?id=` opens a draft or changes what is being signed, `?copy=` takes over its content, `?redo=` replaces it. */
export default function GangFormPage() {
  const query = usePageQuery()
  const projectCode = useProjectCode()
  const id = query.get('id')
  const from = query.get('copy') ?? query.get('redo')
  if (id) return <Known id={id}>{(file) => <Change key={file.version} file={file} />}</Known>
  if (from)
    return <Known id={from}>{(file) => <Create projectCode={file.projectCode} like={file} replaces={query.get('redo') !== null} />}</Known>
  if (projectCode === '*') return <ProjectPicker why="在哪个项目交底" />
  return <Create key={projectCode} projectCode={projectCode} />
}

function Known({ id, children }: { id: string; children: (file: BriefingDetail) => React.ReactNode }) {
  const read = useCall(getGangBriefing, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return children(read.data)
}

const aboutOf = (id: string, body: Pick<Body, 'name' | 'content'>) => ({
  id,
  title: `安全技术交底 ${body.name}`,
  page: paths.list,
  lines: [{ label: '交底内容', text: body.content }],
})

const useDesk = (projectCode: string) => useCall(briefingDesk, { query: { projectCode } }, { quiet: true, offline: true })

function Create({ projectCode, like, replaces = false }: { projectCode: string; like?: BriefingDetail; replaces?: boolean }) {
  const page = usePage()
  const query = usePageQuery()
  const own = useMe((me) => me.info?.name ?? '')
  const desk = useDesk(projectCode)
  const [fresh] = useState<Values>(() => ({
    ...(like
      ? { ...fieldsOf(like), receivers: replaces ? like.receivers.map((one) => one.stayId) : [] }
      : { files: [], measureIds: [], receivers: [] }),
    id: uid(),
    action: 'begin',
    date: day(Date.now()),
    discloser: own,
    replacesId: replaces ? (like?.id ?? null) : null,
    ...(query.get('work') ? { bigProjectId: query.get('work') } : {}),
    ...(query.get('team') ? { teamId: query.get('team') } : {}),
  }))
  const source = like?.id ?? query.get('work') ?? query.get('team') ?? ''
  const [held, hold, clear] = useDeviceDraft<Values>(`briefing ${projectCode} ${source}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createGangBriefing, ({ body }) => aboutOf(body.id, body), {
    success: '已保存',
    onDone: (made) =>
      leave(made ? hrefOf(paths.detail, { id: made.id, ...(made.state === briefingStates.signing ? { sign: 'yes' } : {}) }) : paths.list),
    onKept: () => leave(paths.list),
  })
  return (
    <FormPage
      act={act}
      title="项目技术交底"
      remark="随写随存在本机，没有网络也能提交"
      saveText="保存"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
      aside={<Sources desk={desk.data} onFilled={hold} />}
    >
      <Fields projectCode={projectCode} desk={desk.data} onFilled={hold} isNew />
    </FormPage>
  )
}

/** A draft, or a briefing that is being signed: a change of its content makes the signatures void. */
function Change({ file }: { file: BriefingDetail }) {
  const page = usePage()
  const desk = useDesk(file.projectCode)
  const signing = file.state === briefingStates.signing
  const [held, hold, clear] = useDeviceDraft<Values>(`briefing change ${file.id} ${file.version}`, {
    ...fieldsOf(file),
    id: file.id,
    action: signing ? 'amend' : 'begin',
  })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(changeGangBriefing, ({ body }) => aboutOf(`briefing ${file.id}`, body as unknown as Body), {
    success: '已保存',
    onDone: () => leave(hrefOf(paths.detail, { id: file.id })),
    onKept: () => leave(paths.list),
  })
  const run: typeof act.run = async (input) => {
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
    return sure ? act.run(input) : undefined
  }
  return (
    <FormPage
      act={{ ...act, run }}
      title="项目技术交底"
      remark={signing ? '修改签字中的交底' : '草稿'}
      saveText={signing ? '保存修改' : '保存'}
      loading={!held}
      schema={createGangBriefing.schemas.body}
      initial={held ?? {}}
      onValues={hold}
      input={(given) => {
        const { id: _id, action, ...fields } = given as unknown as Body
        const own = signing ? { action: 'amend' as const, voiding: file.signatureCount } : { action }
        return { params: { id: file.id }, query: anyProject, body: { ...fields, ...own, version: file.version } }
      }}
      aside={<Sources desk={desk.data} onFilled={hold} />}
    >
      {signing && file.signatureCount > 0 && (
        <Notice tone="danger">已有 {file.signatureCount} 人签字。修改内容后，这些签名全部失效，须重新签字。</Notice>
      )}
      <Fields projectCode={file.projectCode} desk={desk.data} onFilled={hold} isNew={!signing} />
    </FormPage>
  )
}

function fieldsOf(file: BriefingDetail): Values {
  const { name, workType, part, bigProjectId, corpCode, teamId, content, files, date, discloser, witness } = file
  return {
    ...{ name, workType, part, bigProjectId, corpCode, teamId, content, files, date, discloser, witness },
    measureIds: file.measures.map((one) => one.id),
    receivers: file.receivers.map((one) => one.stayId),
    replacesId: file.replaces?.id ?? null,
  }
}

interface FieldsProps {
  projectCode: string
  desk: BriefingDesk | undefined
  onFilled: (values: Values) => void
  isNew: boolean
}
function Fields({ projectCode, desk, onFilled, isNew }: FieldsProps) {
  const dicts = useDicts('workerType')
  const form = useFormInstance()
  const teamId = useValue('teamId')
  const corpCode = useValue('corpCode')
  const teams = desk?.teams ?? []
  const corps = [...new Map(teams.map((one) => [one.corpCode, one.corpName]))].map(([value, label]) => ({ value, label }))
  // The gang fills its company, trade and receivers who came today.
  const choose = (id: string | undefined) => {
    const team = teams.find((one) => one.id === id)
    form.setFieldsValue({
      teamId: id ?? null,
      receivers: [],
      ...(team ? { corpCode: team.corpCode, workType: team.workType ?? undefined } : {}),
    })
    onFilled(form.getFieldsValue(true) as Values)
  }
  const managers = desk?.managers.map((one) => ({ value: one.name, label: `${one.name} ${one.role}` })) ?? []
  return (
    <>
      <FieldGroup title="班组与部位">
        <NameFields />
        <Field name="teamId" label="班组" help="多个班组一起交底则不选">
          <TeamChoice teams={teams} onChosen={choose} />
        </Field>
        <Field name="corpCode" label="单位">
          <Choice clear={false} options={corps} loading={!desk} />
        </Field>
        <Field name="workType" label="工种">
          <TreeChoice tree={dicts.tree('workerType')} />
        </Field>
        <WorkField desk={desk} />
        <Field name="date" label="交底日期">
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="discloser" label="交底人" help="本人签字">
          <AutoComplete options={managers} />
        </Field>
        <Field name="witness" label="见证的安全员" required help="专职安全员签字见证">
          <AutoComplete options={managers} />
        </Field>
      </FieldGroup>
      <FieldGroup title="被交底人" remark="未到的人保留为待补签">
        <Field name="receivers" label="人员" span="all">
          <Receivers key={`${teamId ?? ''} ${corpCode ?? ''}`} projectCode={projectCode} teamId={teamId} fillsPresent={isNew} />
        </Field>
      </FieldGroup>
      <ContentFields />
      {isNew && (
        <FieldGroup title="办理">
          <Field name="action" label="办理">
            <Choice
              clear={false}
              options={[
                { value: 'begin', label: '发起签字，进入签字模式' },
                { value: 'save', label: '先存草稿' },
              ]}
            />
          </Field>
        </FieldGroup>
      )}
    </>
  )
}

function TeamChoice({
  id,
  value,
  onChange,
  teams,
  onChosen,
}: {
  id?: string
  value?: string
  onChange?: (team: string | undefined) => void
  teams: BriefingDesk['teams']
  onChosen: (team: string | undefined) => void
}) {
  return (
    <Choice
      {...(id ? { id } : {})}
      options={teams.map((one) => ({ value: one.id, label: `${one.name}（在场 ${one.present} / ${one.people}）` }))}
      value={value}
      onChange={(next) => {
        onChange?.(next)
        onChosen(next)
      }}
    />
  )
}
