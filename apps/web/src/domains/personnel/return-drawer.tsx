import { workRoles } from '@zhugong/contract/labour/model'
import { enterWorker } from '@zhugong/contract/labour/stays'
import { workerForm } from '@zhugong/contract/personnel/workers'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useGo } from '#kit/page.tsx'
import { formalOnly, InsuranceField } from './formal-field.tsx'

const { Field, useValue } = formOf(enterWorker)

interface Left {
  name: string
  projectCode: string
  corpCode: string
  teamId: string | null
  workRole: string
  workType: string | null
  post: string | null
}

/** Re-entry of a person who left: with the existing file, and into the former team if it still exists. */
export function ReturnDrawer({ stay, onClose }: { stay: Left; onClose: () => void }) {
  const go = useGo()
  const form = useCall(workerForm, { query: { projectCode: stay.projectCode } }, { quiet: true })
  const act = useAct(enterWorker, {
    success: `${stay.name}已再次进场，进场条件重新核对`,
    onDone: (done) => {
      onClose()
      go('/personListDetails', { id: done.id, workerId: done.workerId })
    },
  })
  if (!form.data) return null
  const { corps, teams } = form.data
  const { name, projectCode, workRole, workType, post } = stay
  const corpCode = corps.some((c) => c.corpCode === stay.corpCode) ? stay.corpCode : undefined
  const teamId = teams.some((t) => t.id === stay.teamId && t.corpCode === corpCode) ? stay.teamId : undefined
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="再次进场"
      remark={name}
      initial={{ name, projectCode, corpCode, teamId, workRole, workType, post, idCardType: '01', entryTime: day(Date.now()) }}
      onClose={onClose}
    >
      <Notice tone="info">退场人员凭本人证件再次进场，沿用原有档案；合同、入场教育按这次进场重新核对。</Notice>
      <Field name="idCardType" label="证件类型">
        <IdCardTypes />
      </Field>
      <Field name="idCardNumber" label="证件号码" required help="核对本人证件后填写">
        <Input maxLength={30} autoFocus />
      </Field>
      <PlaceFields corps={corps} teams={teams} manager={workRole === workRoles.manager} />
      <Field name="entryTime" label="进场日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <TermsFields />
    </FormDrawer>
  )
}

/** Terms required for becoming formal; sent with the entry. */
function TermsFields() {
  return (
    <>
      <Field name="paymentType" label="计酬方式" extra={formalOnly}>
        <Choice options={useDicts('paymentType').options('paymentType')} />
      </Field>
      <InsuranceField name="hasBuyInsurance" />
    </>
  )
}

function IdCardTypes(props: { value?: string; onChange?: (value: string | undefined) => void; id?: string }) {
  return <Choice {...props} clear={false} options={useDicts('idCardType').options('idCardType')} />
}

function PlaceFields({
  corps,
  teams,
  manager,
}: {
  corps: readonly { corpCode: string; corpName: string }[]
  teams: readonly { id: string; teamName: string; corpCode: string }[]
  manager: boolean
}) {
  const dicts = useDicts('workerType', 'managerPost')
  const corpCode = useValue('corpCode')
  const posts = dicts.tree('managerPost').flatMap((g) => (g.children ?? []).map((p) => ({ value: p.value, label: p.label })))
  return (
    <>
      <Field name="corpCode" label="单位">
        <Choice clear={false} options={corps.map((c) => ({ value: c.corpCode, label: c.corpName }))} />
      </Field>
      <Field name="teamId" label="班组" required={!manager}>
        <Choice options={teams.filter((t) => t.corpCode === corpCode).map((t) => ({ value: t.id, label: t.teamName }))} />
      </Field>
      {manager ? (
        <Field name="post" label="岗位" required>
          <Choice options={posts} />
        </Field>
      ) : (
        <Field name="workType" label="工种" required>
          <Choice options={dicts.options('workerType')} />
        </Field>
      )}
    </>
  )
}
