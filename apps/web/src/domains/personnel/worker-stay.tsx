import { workRoles } from '@zhugong/contract/labour/codes'
import { licencesFor } from '@zhugong/contract/personnel/rules'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { Checkbox, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useDicts } from '#kit/dicts.ts'
import { DependentFields, FieldGroup, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, MoneyInput, Upload } from '#kit/inputs.tsx'
import { formalOnly, InsuranceField } from './formal-field.tsx'
import { PayQuestion } from './pay-question.tsx'
import { type Pin, pinOptions } from './pins.ts'

const { Field, useValue } = formOf(registerWorker)

export function StayGroup({
  corps,
  teams,
  pins,
  onPins,
}: {
  corps: readonly { corpCode: string; corpName: string }[]
  teams: readonly { id: string; teamName: string; corpCode: string; workType: string }[]
  /** Values to keep for the next person. */
  pins: readonly Pin[]
  onPins: (pins: Pin[]) => void
}) {
  const dicts = useDicts('workerType', 'managerPost', 'paymentType', 'specialCertType')
  const form = useFormInstance()
  const corpCode = useValue('stay.corpCode')
  const teamId = useValue('stay.teamId')
  const role = useValue('stay.workRole')
  const workType = useValue('stay.workType')
  const posts = dicts.tree('managerPost').flatMap((g) => (g.children ?? []).map((p) => ({ value: p.value, label: p.label })))
  const shown = teams.filter((t) => t.corpCode === corpCode)
  // Clear a team of another unit; preselect the trade of the team.
  useEffect(() => {
    if (teamId && !teams.some((t) => t.id === teamId && t.corpCode === corpCode)) form.setFieldValue(['stay', 'teamId'], undefined)
  }, [corpCode, teamId, teams, form])
  useEffect(() => {
    const trade = teams.find((t) => t.id === teamId)?.workType
    if (trade && !form.getFieldValue(['stay', 'workType'])) form.setFieldValue(['stay', 'workType'], trade)
  }, [teamId, teams, form])
  return (
    <FieldGroup title="进场">
      <div className="zg-span-all zg-below-12 zg-row zg-middle">
        <span className="zg-2" id="worker-pins">
          带到下一人
        </span>
        <Checkbox.Group aria-labelledby="worker-pins" options={pinOptions} value={[...pins]} onChange={onPins} />
      </div>
      <Field name="stay.workRole" label="人员类型">
        <Choice
          clear={false}
          options={[
            { value: '20', label: '建筑工人' },
            { value: '10', label: '管理人员' },
          ]}
        />
      </Field>
      <Field name="stay.corpCode" label="单位" required>
        <Choice
          options={corps.map((c) => ({ value: c.corpCode, label: c.corpName }))}
          placeholder={corps.length ? '在场的参建单位' : '尚无单位进场'}
        />
      </Field>
      {role === workRoles.manager ? (
        <Field name="stay.post" label="岗位" required>
          <Choice options={posts} />
        </Field>
      ) : (
        <>
          <Field name="stay.teamId" label="班组" required>
            <Choice
              options={shown.map((t) => ({ value: t.id, label: t.teamName }))}
              placeholder={corpCode ? (shown.length ? '选择班组' : '该单位尚无班组进场') : '先选单位'}
            />
          </Field>
          <Field name="stay.workType" label="工种" required>
            <Choice options={dicts.options('workerType')} />
          </Field>
          {licencesFor(workType).length > 0 && (
            <LicenceFields
              workType={workType ?? ''}
              tradeName={dicts.name('workerType', workType)}
              kinds={dicts.items('specialCertType')}
            />
          )}
        </>
      )}
      <Field name="stay.entryTime" label="进场日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="stay.paymentType" label="计酬方式" extra={formalOnly}>
        <Choice options={dicts.options('paymentType')} />
      </Field>
      <Field name="stay.unitPriceCents" label="工价" help={<PayQuestion payment="stay.paymentType" pay="stay.unitPriceCents" />}>
        <MoneyInput />
      </Field>
      <Field name="stay.cardNumber" label="考勤卡号">
        <Input maxLength={30} />
      </Field>
      <InsuranceField name="stay.hasBuyInsurance" />
      {role !== workRoles.manager && (
        <Field name="stay.isTeamLeader" valueName="checked">
          <Checkbox>任本班组班组长</Checkbox>
        </Field>
      )}
    </FieldGroup>
  )
}

/** Certificate fields for a special trade; cleared when the trade changes. */
function LicenceFields({
  workType,
  tradeName,
  kinds,
}: {
  workType: string
  tradeName: string
  kinds: readonly { code: string; name: string; parent?: string | undefined }[]
}) {
  const form = useFormInstance()
  const [later, setLater] = useState(false)
  const [wanted] = licencesFor(workType)
  useEffect(() => {
    if (later) form.setFieldValue(['cert'], undefined)
    else {
      const kind = kinds.find((k) => k.code === wanted)
      form.setFieldValue(['cert'], {
        ...(form.getFieldValue(['cert']) as object | undefined),
        certType: '7',
        specialType: wanted,
        name: kind?.name ?? tradeName,
      })
    }
  }, [later, wanted, kinds, tradeName, form])
  useEffect(() => () => form.setFieldValue(['cert'], undefined), [form])
  return (
    <DependentFields
      why={
        <>
          工种选了“{tradeName}”，需要特种作业证。改选其他工种，这几项收起。{' '}
          <button type="button" className="zg-bare zg-link" onClick={() => setLater(!later)}>
            {later ? '现在录入' : '证书稍后补'}
          </button>
        </>
      }
    >
      {!later && (
        <>
          <Field name="cert.certNo" label="特种作业证号" required>
            <Input autoFocus maxLength={50} />
          </Field>
          <Field name="cert.issueDate" label="发证日期" required>
            <DayInput max={day(Date.now())} />
          </Field>
          <Field name="cert.validEnd" label="有效期至" help="不填为发证日起两年">
            <DayInput />
          </Field>
          <Field name="cert.grantOrg" label="发证机关" required>
            <Input maxLength={100} />
          </Field>
          <Field name="cert.files" label="证书照片" span={2}>
            <Upload max={4} camera="environment" />
          </Field>
        </>
      )}
    </DependentFields>
  )
}
