import { createTeam, getTeam, teamForm, updateTeam } from '@zhugong/contract/labour/teams'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, TreeChoice } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'

const { Field, useValue } = formOf(createTeam, updateTeam)

/** Creates a team, or changes one (`?id=`). Entry, exit and project of an existing team belong to its stays. */
export default function TeamFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Edit id={id} />
  if (projectCode === '*') return <ProjectPicker why="班组先进入哪个项目" />
  return <Create projectCode={projectCode} />
}

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const form = useCall(teamForm, { query: { projectCode } }, { quiet: true })
  const act = useAct(createTeam, {
    success: (t) => `班组已建立，编号 ${t.teamSysNo}`,
    onDone: (t) => {
      page.leave(hrefOf('/teamSystem/info/basic', { id: t.id }))
    },
  })
  if (form.error) return <ErrorPanel error={form.error} retry={form.refetch} />
  const corps = form.data?.corps ?? []
  return (
    <FormPage
      act={act}
      title="新建班组"
      remark={form.data?.projects.find((p) => p.code === projectCode)?.name}
      loading={form.isPending}
      initial={{
        projectCode,
        entryTime: day(Date.now()),
        responsiblePersonIdCardType: '01',
        corpCode: corps.length === 1 ? corps[0]?.code : undefined,
      }}
      barRemark="班组长在人员进场后再指定"
    >
      <FieldGroup title="班组">
        <TeamFields />
        <UnitFields corps={corps} />
      </FieldGroup>
      <FieldGroup title="责任人" remark="企业现场负责人">
        <PersonFields />
      </FieldGroup>
    </FormPage>
  )
}

function Edit({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getTeam, { params: { id } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateTeam, { onDone: () => page.leave() })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const t = read.data
  return (
    <FormPage
      act={act}
      title={t ? `编辑 ${t.teamName}` : '编辑班组'}
      remark="改名不影响已出具的表单"
      loading={!t}
      initial={
        t
          ? {
              teamName: t.teamName,
              workType: t.workType,
              teamLeaderId: t.teamLeaderId,
              responsiblePersonName: t.responsiblePersonName,
              responsiblePersonIdCardType: t.responsiblePersonIdCardType ?? '01',
              remark: t.remark,
              version: t.version,
            }
          : {}
      }
      input={(body) => ({ params: { id }, body })}
    >
      <FieldGroup title="班组">
        <TeamFields />
        <Field name="teamLeaderId" label="班组长" help="从本班组的在场人员中指定，每班组一人">
          <Choice
            options={(t?.people ?? []).map((p) => ({
              value: p.workerId,
              label: p.workTypeName ? `${p.name}（${p.workTypeName}）` : p.name,
            }))}
            placeholder={t?.people.length ? '选择' : '班组内还没有在场人员'}
          />
        </Field>
      </FieldGroup>
      <FieldGroup title="责任人" remark="遮盖的内容不填则保持不变">
        <PersonFields kept={{ phone: t?.responsiblePersonPhone, number: t?.responsiblePersonIdNumber }} />
      </FieldGroup>
    </FormPage>
  )
}

function TeamFields() {
  const dicts = useDicts('workerType')
  return (
    <>
      <Field name="teamName" label="班组名称" help="同一项目同一单位内不重名">
        <Input />
      </Field>
      <Field name="workType" label="班组工种">
        <TreeChoice tree={dicts.tree('workerType')} />
      </Field>
      <Field name="remark" label="备注" span="all">
        <LongText rows={2} maxLength={200} />
      </Field>
    </>
  )
}

function UnitFields({ corps }: { corps: readonly { code: string; name: string; entryTime: string }[] }) {
  const corpCode = useValue('corpCode')
  const entered = corps.find((c) => c.code === corpCode)?.entryTime
  return (
    <>
      <Field name="corpCode" label="所属单位">
        <Choice
          options={corps.map((c) => ({ value: c.code, label: c.name }))}
          placeholder={corps.length ? '在场的参建单位' : '本项目尚无单位进场'}
        />
      </Field>
      <Field name="entryTime" label="进场日期" help={entered ? `不早于单位进场 ${entered}` : undefined}>
        <DayInput max={day(Date.now())} min={entered || undefined} />
      </Field>
    </>
  )
}

function PersonFields({ kept }: { kept?: { phone: string | null | undefined; number: string | null | undefined } }) {
  const dicts = useDicts('idCardType')
  const unchanged = (mask: string | null | undefined) => (mask ? { help: `现为 ${mask}，不填则不变` } : {})
  return (
    <>
      <Field name="responsiblePersonName" label="姓名">
        <Input />
      </Field>
      <Field name="responsiblePersonPhone" label="电话" {...unchanged(kept?.phone)}>
        <Input maxLength={50} inputMode="tel" />
      </Field>
      <Field name="responsiblePersonIdCardType" label="证件类型">
        <Choice clear={false} options={dicts.options('idCardType')} />
      </Field>
      <Field name="responsiblePersonIdNumber" label="证件号" {...unchanged(kept?.number)}>
        <Input maxLength={30} />
      </Field>
    </>
  )
}
