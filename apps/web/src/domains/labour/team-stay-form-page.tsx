import { addTeamStay, createTeam } from '@zhugong/contract/labour/teams'
import { getTeamStay, teamStayForm, updateTeamStay } from '@zhugong/contract/labour/unit-info'
import { Input, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, dueWords } from '#kit/format.ts'
import { Choice, DayInput, LongText, TreeChoice, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'

const { Field, useValue } = formOf(addTeamStay, createTeam, updateTeamStay)

/** Adds a new or existing team to this project, or changes its stay; the team itself is changed on its own page. */
export default function TeamStayFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Edit id={id} />
  if (projectCode === '*') return <ProjectPicker why="班组进入哪个项目" />
  return <Bring projectCode={projectCode} />
}

type Form = NonNullable<ReturnType<typeof useForm>['data']>
const useForm = (projectCode: string) => useCall(teamStayForm, { query: { projectCode } }, { quiet: true })

function Bring({ projectCode }: { projectCode: string }) {
  const query = usePageQuery()
  const form = useForm(projectCode)
  const [way, setWay] = useState(query.get('teamId') ? 'known' : 'new')
  if (form.error) return <ErrorPanel error={form.error} retry={form.refetch} />
  const bar = (
    <Segmented
      value={way}
      onChange={setWay}
      options={[
        { value: 'new', label: '新班组' },
        { value: 'known', label: `选择已有班组${form.data?.free.length ? `（${form.data.free.length}）` : ''}` },
      ]}
    />
  )
  return way === 'known' ? (
    <Known projectCode={projectCode} form={form.data} teamId={query.get('teamId') ?? undefined} bar={bar} />
  ) : (
    <New projectCode={projectCode} form={form.data} corpCode={query.get('corpCode') ?? undefined} bar={bar} />
  )
}

/** An existing team returns or comes from another project: creates a stay, not a team. */
function Known({
  projectCode,
  form,
  teamId,
  bar,
}: {
  projectCode: string
  form: Form | undefined
  teamId: string | undefined
  bar: React.ReactNode
}) {
  const page = usePage()
  const act = useAct(addTeamStay, {
    success: '班组已进场',
    onDone: ({ id }) => {
      page.leave(hrefOf('/teamListEditDetails', { id }))
    },
  })
  return (
    <FormPage
      act={act}
      title="班组进场"
      titleActions={bar}
      loading={!form}
      initial={{ projectCode, teamId, entryTime: day(Date.now()) }}
      barRemark="人员在班组进场后按证件办理进场"
    >
      <FieldGroup title="班组">
        <Field name="teamId" label="班组" span={2} help="本项目在场单位名下、现在空闲的班组；按班组名或班组长查找">
          <Choice
            options={(form?.free ?? []).map((t) => ({
              value: t.id,
              label: [t.teamName, t.teamLeaderName, t.workTypeName, t.lastProject && `上次 ${t.lastProject}，${t.exitTime} 退场`]
                .filter(Boolean)
                .join(' · '),
            }))}
            placeholder={form?.free.length ? '选择' : '没有空闲的班组'}
          />
        </Field>
        <KnownEntry form={form} />
      </FieldGroup>
    </FormPage>
  )
}

function KnownEntry({ form }: { form: Form | undefined }) {
  const teamId = useValue('teamId')
  const team = form?.free.find((t) => t.id === teamId)
  const unit = form?.corps.find((c) => c.code === team?.corpCode)
  const least = [unit?.entryTime, team?.exitTime]
    .filter((d): d is string => Boolean(d))
    .sort()
    .at(-1)
  return (
    <Field name="entryTime" label="进场日期" help={least ? `不早于 ${least}（单位进场、班组上次退场）` : undefined}>
      <DayInput min={least} max={day(Date.now())} />
    </Field>
  )
}

function New({
  projectCode,
  form,
  corpCode,
  bar,
}: {
  projectCode: string
  form: Form | undefined
  corpCode: string | undefined
  bar: React.ReactNode
}) {
  const page = usePage()
  const [then, setThen] = useState<'people' | 'team'>('team')
  const act = useAct(createTeam, {
    success: (t) => `班组已进场，编号 ${t.teamSysNo}`,
    onDone: (t) => {
      page.leave(then === 'people' ? hrefOf('/personListEdit', { teamId: t.id }) : hrefOf('/teamSystem/info/basic', { id: t.id }))
    },
  })
  const corps = form?.corps ?? []
  return (
    <FormPage
      act={act}
      title="班组进场"
      titleActions={bar}
      loading={!form}
      initial={{
        projectCode,
        corpCode: corpCode ?? (corps.length === 1 ? corps[0]?.code : undefined),
        entryTime: day(Date.now()),
        responsiblePersonIdCardType: '01',
      }}
      barRemark="班组长在人员进场后再指定"
      barActions={
        <Segmented
          value={then}
          onChange={(next) => setThen(next as 'people' | 'team')}
          options={[
            { value: 'team', label: '保存后看班组' },
            { value: 'people', label: '保存后录人员' },
          ]}
        />
      }
    >
      <FieldGroup title="班组">
        <NewFields corps={corps} />
      </FieldGroup>
      <FieldGroup title="责任人" remark="企业现场负责人">
        <Responsible />
      </FieldGroup>
    </FormPage>
  )
}

function NewFields({ corps }: { corps: Form['corps'] }) {
  const dicts = useDicts('workerType')
  const corpCode = useValue('corpCode')
  const name = useValue('teamName')?.trim()
  const unit = corps.find((c) => c.code === corpCode)
  const taken = name !== undefined && unit?.teamNames.includes(name)
  return (
    <>
      <Field name="corpCode" label="所属单位">
        <Choice
          options={corps.map((c) => ({ value: c.code, label: c.name }))}
          placeholder={corps.length ? '在场的参建单位' : '本项目尚无单位进场'}
        />
      </Field>
      <Field
        name="teamName"
        label="班组名称"
        help={taken ? <span className="tone-danger">该单位在本项目已有同名班组</span> : '同一项目同一单位内不重名'}
      >
        <Input />
      </Field>
      <Field name="workType" label="班组工种">
        <TreeChoice tree={dicts.tree('workerType')} />
      </Field>
      <Field name="entryTime" label="进场日期" help={unit ? `不早于单位进场 ${unit.entryTime}` : undefined}>
        <DayInput max={day(Date.now())} min={unit?.entryTime} />
      </Field>
      <Field name="remark" label="备注" span="all">
        <LongText rows={2} maxLength={200} />
      </Field>
    </>
  )
}

function Responsible() {
  const dicts = useDicts('idCardType')
  return (
    <>
      <Field name="responsiblePersonName" label="姓名">
        <Input />
      </Field>
      <Field name="responsiblePersonPhone" label="电话">
        <Input maxLength={50} inputMode="tel" />
      </Field>
      <Field name="responsiblePersonIdCardType" label="证件类型">
        <Choice clear={false} options={dicts.options('idCardType')} />
      </Field>
      <Field name="responsiblePersonIdNumber" label="证件号">
        <Input maxLength={30} />
      </Field>
    </>
  )
}

function Edit({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getTeamStay, { params: { id } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateTeamStay, { onDone: () => page.leave(hrefOf('/teamListEditDetails', { id })) })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const s = read.data
  return (
    <FormPage
      act={act}
      title={s ? `编辑 ${s.teamName}（${s.projectName ?? ''}）` : '编辑班组'}
      remark="只改本项目的这一段，班组名称和责任人在班组档案中改"
      loading={!s}
      initial={
        s && {
          entryTime: s.entryTime,
          entryAttachments: s.entryAttachments,
          exitAttachments: s.exitAttachments,
          remark: s.remark,
          teamLeaderId: s.teamLeaderId,
          version: s.version,
        }
      }
      input={(body) => ({ params: { id }, body })}
      aside={
        s && (
          <Card title="现在">
            <p>
              在场 {s.headcount} 人，今日{dueWords(s.today)}
            </p>
            {s.exitTime && <Notice tone="info">已于 {s.exitTime} 退场，只能补充附件和备注。</Notice>}
          </Card>
        )
      }
    >
      <FieldGroup title="进场">
        <Field name="entryTime" label="进场日期" help={s?.unitEntryTime ? `不早于单位进场 ${s.unitEntryTime}` : undefined}>
          <DayInput max={day(Date.now())} min={s?.unitEntryTime ?? undefined} />
        </Field>
        {!s?.exitTime && (
          <Field name="teamLeaderId" label="班组长" help="从本班组的在场人员中指定，每班组一人">
            <Choice
              options={(s?.members ?? []).map((m) => ({ value: m.workerId, label: `${m.name}（${m.workTypeName ?? '--'}）` }))}
              placeholder={s?.members.length ? '选择' : '班组内还没有在场人员'}
            />
          </Field>
        )}
        <Field name="entryAttachments" label="进场附件" span="all">
          <Upload max={12} accept="image/*,application/pdf" />
        </Field>
      </FieldGroup>
      <FieldGroup title={s?.exitTime ? '退场' : '备注'}>
        {s?.exitTime && (
          <Field name="exitAttachments" label="退场附件" span="all">
            <Upload max={12} accept="image/*,application/pdf" />
          </Field>
        )}
        <Field name="remark" label="备注" span="all">
          <LongText rows={2} maxLength={200} />
        </Field>
      </FieldGroup>
    </FormPage>
  )
}
