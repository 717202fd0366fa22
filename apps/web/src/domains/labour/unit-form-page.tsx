import { partTypes } from '@zhugong/contract/labour/codes'
import { subcontractParts } from '@zhugong/contract/labour/model'
import { createUnit } from '@zhugong/contract/labour/unit-info'
import { addUnit, fillUnit, listUnits, updateUnit } from '@zhugong/contract/labour/units'
import { pickCorporations } from '@zhugong/contract/organisation/corporations'
import { Input, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel } from '#kit/feedback.tsx'
import { DependentFields, FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { AreaInput, Choice, Choices, DayInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'

const { Field, useValue } = formOf(createUnit, addUnit, updateUnit)

/** Adds a company to the project, or changes the terms of its participation. */
export default function UnitFormPage() {
  const query = usePageQuery()
  const id = query.get('id')
  const projectCode = useProjectCode()
  if (id) return <Edit id={id} />
  if (projectCode === '*') return <ProjectPicker why="单位加入哪个项目" />
  return <New projectCode={projectCode} corpCode={query.get('corpCode') ?? undefined} />
}

/** Selects a known company, or creates one; a code already on the platform uses the existing company. */
function New({ projectCode, corpCode }: { projectCode: string; corpCode: string | undefined }) {
  const [way, setWay] = useState('known')
  const bar = (
    <Segmented
      value={way}
      onChange={setWay}
      options={[
        { value: 'known', label: '选择企业' },
        { value: 'new', label: '新建企业并加入' },
      ]}
    />
  )
  return way === 'known' ? <Add projectCode={projectCode} corpCode={corpCode} bar={bar} /> : <Make projectCode={projectCode} bar={bar} />
}

function Make({ projectCode, bar }: { projectCode: string; bar: ReactNode }) {
  const leave = useLeave()
  const dicts = useDicts('projectCorpType', 'corpKind')
  const act = useAct(createUnit, {
    success: ({ isNew }) => (isNew ? '企业已建档并进场，完整档案由企业自己补充' : '企业已在平台登记，单位已进场'),
    onDone: leave,
  })
  return (
    <FormPage
      act={act}
      title="添加单位"
      titleActions={bar}
      initial={{ projectCode, entryTime: day(Date.now()), pmIdCardType: '01' }}
      barRemark="信用代码和名称与平台登记一致的直接加入，不会重复建档"
    >
      <FieldGroup title="企业">
        <Field name="company.corpCode" label="统一社会信用代码">
          <Input maxLength={18} />
        </Field>
        <Field name="company.corpName" label="企业名称" help="与营业执照一致">
          <Input maxLength={200} />
        </Field>
        <Field name="company.corpKind" label="业务类别">
          <Choices options={dicts.options('corpKind')} />
        </Field>
        <Field name="company.areaCode" label="注册地区">
          <AreaInput />
        </Field>
        <Field name="company.address" label="营业地址">
          <Input maxLength={200} />
        </Field>
        <Field name="company.legalMan" label="法定代表人">
          <Input maxLength={50} />
        </Field>
        <Field name="company.linkMan" label="联系人">
          <Input maxLength={50} />
        </Field>
        <Field name="company.linkPhone" label="联系人电话">
          <Input maxLength={20} inputMode="tel" />
        </Field>
      </FieldGroup>
      <FieldGroup title="参建">
        <Field name="corpType" label="参建类型">
          <Choice options={dicts.options('projectCorpType')} />
        </Field>
        <UnitFields projectCode={projectCode} />
      </FieldGroup>
      <LeaderGroup />
    </FormPage>
  )
}

function useLeave() {
  const page = usePage()
  return () => page.leave('/unitListStock')
}

function Add({ projectCode, corpCode, bar }: { projectCode: string; corpCode: string | undefined; bar: ReactNode }) {
  const leave = useLeave()
  const dicts = useDicts('projectCorpType')
  const corps = useCall(pickCorporations, { query: {} }, { quiet: true })
  const act = useAct(addUnit, { success: '单位已进场', onDone: leave })
  return (
    <FormPage
      act={act}
      title="添加单位"
      titleActions={bar}
      initial={{ projectCode, corpCode, entryTime: day(Date.now()), pmIdCardType: '01' }}
      barRemark="单位进场后再建班组、登记人员"
    >
      <FieldGroup title="参建">
        <Field name="corpCode" label="企业">
          <Choice
            options={(corps.data?.list ?? []).map((c) => ({ value: c.code, label: `${c.name}（${c.code}）` }))}
            loading={corps.isPending}
          />
        </Field>
        <Field name="corpType" label="参建类型">
          <Choice options={dicts.options('projectCorpType')} />
        </Field>
        <UnitFields projectCode={projectCode} />
      </FieldGroup>
      <LeaderGroup />
    </FormPage>
  )
}

function Edit({ id }: { id: string }) {
  const leave = useLeave()
  const read = useCall(fillUnit, { params: { id } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateUnit, { success: '参建单位已修改', onDone: leave })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const u = read.data
  return (
    <FormPage
      act={act}
      title={u ? `编辑 ${u.corpName}` : '编辑单位'}
      remark={u && `${u.corpTypeName ?? ''}，${u.projectName}`}
      loading={!u}
      initial={
        u && {
          id: u.id,
          version: u.version,
          corpType: u.corpType,
          parentCorpCode: u.parentCorpCode,
          contractNo: u.contractNo,
          contractAmount: u.contractAmount,
          contractFile: u.contractFile,
          entryTime: u.entryTime,
          payType: u.payType,
          pmName: u.pmName,
          pmIdCardType: u.pmIdCardType ?? '01',
        }
      }
    >
      <FieldGroup title="参建">
        <UnitFields projectCode={u?.projectCode ?? ''} />
      </FieldGroup>
      <LeaderGroup
        kept={u ? { number: u.pmIdCardNumber, phone: u.pmPhone } : undefined}
        applies={u ? approvedLeaders.includes(u.corpType) : false}
      />
    </FormPage>
  )
}

function UnitFields({ projectCode }: { projectCode: string }) {
  const dicts = useDicts('payChannel')
  const corpType = useValue('corpType')
  const own = useValue('corpCode')
  const units = useCall(listUnits, { query: { projectCode, stationed: '1', size: 100 } }, { quiet: true, enabled: projectCode !== '' })
  const isSub = (subcontractParts as readonly string[]).includes(corpType ?? '')
  const parents = new Map((units.data?.list ?? []).filter((u) => u.corpCode !== own).map((u) => [u.corpCode, u.corpName]))
  return (
    <>
      <Field name="entryTime" label="进场日期">
        <DayInput max={day(Date.now())} />
      </Field>
      {isSub && (
        <DependentFields why="分包单位须写明上级发包单位和分包合同。">
          <Field name="parentCorpCode" label="上级发包单位" required>
            <Choice options={[...parents].map(([value, label]) => ({ value, label }))} loading={units.isPending} />
          </Field>
        </DependentFields>
      )}
      <Field name="contractNo" label="合同编号" required={isSub}>
        <Input maxLength={50} />
      </Field>
      <Field name="contractAmount" label="合同金额">
        <NumberInput unit="万元" min={0} precision={2} />
      </Field>
      <Field name="payType" label="工资代发方式">
        <Choice options={dicts.options('payChannel')} />
      </Field>
      <Field name="contractFile" label="合同附件" span="all">
        <Upload max={12} accept="image/*,application/pdf" />
      </Field>
    </>
  )
}

/** Another 项目负责人 or 总监 of a project at work needs approval. */
const approvedLeaders: readonly string[] = [partTypes.leader, partTypes.supervisor]

/** ID number and phone are stored encrypted; on a change, empty fields keep their value. */
function LeaderGroup({ kept, applies = false }: { kept?: { number: string | null; phone: string | null }; applies?: boolean }) {
  const dicts = useDicts('idCardType')
  return (
    <FieldGroup
      title="项目负责人"
      remark={kept ? '证件号码和电话不填则保持不变' : undefined}
      actions={applies && <Link to={hrefOf('/projectAlter', { tab: 'mine' })}>换人请发起项目变更</Link>}
    >
      <Field name="pmName" label="姓名">
        <Input maxLength={50} />
      </Field>
      <Field name="pmIdCardType" label="证件类型">
        <Choice clear={false} options={dicts.options('idCardType')} />
      </Field>
      <Field name="pmIdCardNumber" label="证件号码" help={kept?.number ? `现为 ${kept.number}` : undefined}>
        <Input maxLength={30} />
      </Field>
      <Field name="pmPhone" label="电话" help={kept?.phone ? `现为 ${kept.phone}` : undefined}>
        <Input maxLength={20} />
      </Field>
    </FieldGroup>
  )
}
