import {
  type AlterField,
  alterFields,
  alterTypes,
  isAlterType,
  isKeyPersonType,
  mostAlterFiles,
} from '@zhugong/contract/organisation/alter-types'
import { pickGovernments } from '@zhugong/contract/organisation/governments'
import { alterForm, fileAlter } from '@zhugong/contract/organisation/project-alter'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice, Pairs } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { CorporationInput } from './corporation-input.tsx'

const { Field, useValue } = formOf(fileAlter)
const papers = 'image/*,application/pdf'
const mostMb = 20

interface AlterFormProps {
  projectCode?: string
  /** Dictionary projectAlterType; the name of the project by default. */
  type?: string
  onClose: () => void
}

/** Applies for a change of what is registered: one type, its present values fixed, its new values entered. */
export function AlterForm({ projectCode, type, onClose }: AlterFormProps) {
  const chosen = useProjectCode()
  const [picked, setPicked] = useState(projectCode ?? (chosen === '*' ? undefined : chosen))
  if (!picked) return <ProjectChoice onPick={setPicked} onClose={onClose} />
  return <Filling key={picked} projectCode={picked} type={type ?? alterTypes.name} onClose={onClose} />
}

function ProjectChoice({ onPick, onClose }: { onPick: (code: string | undefined) => void; onClose: () => void }) {
  const { data } = useCall(pickProjects, { query: { page: 1, size: 500 } }, { quiet: true })
  return (
    <PageDrawer open size={720} title="发起变更" onClose={onClose}>
      <Choice
        aria-label="项目"
        placeholder="变更哪个项目"
        value={undefined}
        onChange={onPick}
        options={(data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
      />
    </PageDrawer>
  )
}

function Filling({ projectCode, type, onClose }: { projectCode: string; type: string; onClose: () => void }) {
  const act = useAct(fileAlter, { success: ({ code }) => `已提交，编号 ${code}` })
  return (
    <FormDrawer
      open
      act={act}
      title="发起变更"
      remark="审批通过后自动写入项目登记"
      initial={{ type, files: [], consent: [] }}
      input={(body) => ({ query: { projectCode }, body: ofType(body) })}
      saveText="提交申请"
      onClose={onClose}
    >
      <Fields projectCode={projectCode} />
    </FormDrawer>
  )
}

/** What was entered for another type before is left out. */
function ofType<B extends { type?: unknown }>(body: B): B {
  const type = String(body.type ?? '')
  const own: readonly string[] = isAlterType(type) ? alterFields[type] : []
  const person = isKeyPersonType(type)
  const kept = Object.entries(body).filter(
    ([name]) => own.includes(name) || ['type', 'reason', 'files'].includes(name) || (person && ['stayId', 'consent'].includes(name)),
  )
  return Object.fromEntries(kept) as B
}

function Fields({ projectCode }: { projectCode: string }) {
  const dicts = useDicts('projectAlterType')
  const type = useValue('type') ?? ''
  const { data, error } = useCall(alterForm, { query: { projectCode, type } }, { quiet: true, enabled: isAlterType(type), staleMs: 0 })
  const present = new Map((data?.fields ?? []).map((one) => [one.field, one]))
  return (
    <>
      <Field name="type" label="变更类型" span="all">
        <Choice clear={false} options={dicts.options('projectAlterType')} />
      </Field>
      <div className="zg-span-all">
        {error && <Notice tone="danger">{error.message}</Notice>}
        {data?.waiting && <Notice tone="warning">此类变更正在审批（{data.waiting}），办结或撤回后才能再申请</Notice>}
        {data && (
          <Pairs
            items={[
              ...data.fields.filter(({ field }) => field !== 'matter').map(({ label, text }) => ({ label: `现${label}`, value: text })),
              ...(data.person
                ? [
                    { label: `现${data.person.role}`, value: data.person.name },
                    { label: '所在企业', value: data.person.corpName },
                  ]
                : []),
            ]}
          />
        )}
      </div>
      {isAlterType(type) && alterFields[type].map((field) => <NewValue key={field} field={field} known={present.has(field)} />)}
      {data?.person && (
        <Field name="stayId" label={`新任${data.person.role}`} span="all" help="从该企业在册的管理人员中选择，须持有效证书">
          <Choice
            options={data.person.candidates.map((one) => ({
              value: one.stayId,
              label: `${one.name}（${one.idCardMask}，${one.projectName}）${one.cert ? ` ${one.cert}` : ' 无有效证书'}`,
            }))}
          />
        </Field>
      )}
      <Field name="reason" label="变更原因" span="all">
        <LongText />
      </Field>
      <Field name="files" label="证明文件" span="all" help="批文、补充协议等">
        <Upload max={mostAlterFiles} accept={papers} maxMb={mostMb} />
      </Field>
      {isKeyPersonType(type) && (
        <Field name="consent" label="建设单位同意文件" span="all" required>
          <Upload max={mostAlterFiles} accept={papers} maxMb={mostMb} />
        </Field>
      )}
    </>
  )
}

function NewValue({ field, known }: { field: AlterField; known: boolean }) {
  const governments = useCall(pickGovernments, { query: {} }, { quiet: true, enabled: field === 'superviseOrg' })
  if (!known) return null
  switch (field) {
    case 'areaCode':
      return (
        <Field name="areaCode" label="新项目所在地" help="选到区县；监督机构由审定时一并确定">
          <AreaInput />
        </Field>
      )
    case 'superviseOrg':
      return (
        <Field name="superviseOrg" label="新监督机构">
          <Choice options={(governments.data?.list ?? []).map((one) => ({ value: one.code, label: one.name }))} />
        </Field>
      )
    case 'buildCorpCode':
      return (
        <Field name="buildCorpCode" label="新建设单位">
          <CorporationInput />
        </Field>
      )
    case 'contractorCorpCode':
      return (
        <Field name="contractorCorpCode" label="新总承包单位">
          <CorporationInput />
        </Field>
      )
    case 'invest':
      return (
        <Field name="invest" label="新总投资">
          <NumberInput unit="万元" />
        </Field>
      )
    case 'contractPrice':
      return (
        <Field name="contractPrice" label="新合同总价">
          <NumberInput unit="万元" />
        </Field>
      )
    case 'buildingArea':
      return (
        <Field name="buildingArea" label="新总面积">
          <NumberInput unit="㎡" />
        </Field>
      )
    case 'startDate':
      return (
        <Field name="startDate" label="新开工日期">
          <DayInput />
        </Field>
      )
    case 'completeDate':
      return (
        <Field name="completeDate" label="新计划竣工日期">
          <DayInput />
        </Field>
      )
    case 'matter':
      return (
        <Field name="matter" label="变更内容" span="all" help="以上登记之外的事项，用文字说明">
          <LongText />
        </Field>
      )
    case 'name':
      return (
        <Field name="name" label="新项目名称" span="all">
          <Input maxLength={200} />
        </Field>
      )
    case 'address':
      return (
        <Field name="address" label="新项目地址">
          <Input maxLength={200} />
        </Field>
      )
    case 'superviseNo':
      return (
        <Field name="superviseNo" label="新监督登记号">
          <Input maxLength={50} />
        </Field>
      )
  }
}
