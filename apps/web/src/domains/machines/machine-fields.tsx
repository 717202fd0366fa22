import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  changeMachine,
  createMachine,
  findMachine,
  type MachineDetail,
  type MachinePerson,
  type machineChoices,
} from '@zhugong/contract/machines/calls'
import { mostMachineFiles } from '@zhugong/contract/machines/moves'
import { ageLimitOf, hoistClasses, retireDateOf } from '@zhugong/contract/machines/verdict'
import { Input } from 'antd'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, NumberInput, Choices as Several, Upload } from '#kit/inputs.tsx'
import type { Step } from './machine-steps.ts'

export type Choices = OutputFor<typeof machineChoices>

const { Field, useValue } = formOf(createMachine, changeMachine)
const papers = 'image/*,application/pdf'
const mostMb = 100
const [towerType, hoistType] = ['1', '2']
const shortestRecord = 4

/** What identifies a machine; the age limit of its class is said at entry. */
export function MachineFields() {
  const dicts = useDicts('specialDeviceType')
  const type = useValue('deviceType') ?? ''
  const moment = useValue('ratedMoment')
  const hoist = useValue('hoistClass')
  const made = useValue('manufactureDate')
  const limit = ageLimitOf(type, typeof moment === 'number' ? moment : null, hoist ?? null)
  const retires = made ? retireDateOf(made, limit) : null
  return (
    <FieldGroup title="机械">
      <Field name="deviceType" label="设备类型">
        <Choice clear={false} options={dicts.options('specialDeviceType')} />
      </Field>
      <Field name="name" label="设备名称">
        <Input maxLength={100} placeholder="例如 1# 塔吊" />
      </Field>
      <Field name="model" label="规格型号">
        <Input maxLength={50} />
      </Field>
      <Field name="manufactureNo" label="出厂编号">
        <Input maxLength={50} />
      </Field>
      <Field name="manufacturer" label="制造厂家">
        <Input maxLength={100} />
      </Field>
      <Field name="manufactureDate" label="出厂日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="ratedMoment" label={type === hoistType ? '额定载重' : '额定力矩'} required={type === towerType}>
        <NumberInput unit={type === hoistType ? 'kg' : 'kN·m'} min={0} />
      </Field>
      {type === hoistType && (
        <Field name="hoistClass" label="升降机类别" required>
          <Choice clear={false} options={Object.entries(hoistClasses).map(([value, label]) => ({ value, label }))} />
        </Field>
      )}
      <Field name="ownerCorp" label="产权单位">
        <Input maxLength={100} />
      </Field>
      {retires && (
        <div className="zg-span-all">
          <Notice tone={retires < day(Date.now()) ? 'danger' : 'info'}>
            规定使用年限 {limit} 年，{retires} 到限{retires < day(Date.now()) ? '：已超年限，须有评估报告' : ''}
          </Notice>
        </div>
      )}
      <Field name="appraisedUntil" label="评估延用至" help="超年限的填写评估报告允许使用的最后一天">
        <DayInput />
      </Field>
      <Field name="appraisalFiles" label="评估报告" span="all">
        <Upload max={mostMachineFiles} accept={papers} maxMb={mostMb} />
      </Field>
    </FieldGroup>
  )
}

/** A machine that comes from another site, found by its record number. */
export function MoveFields({ projectCode }: { projectCode: string }) {
  const recordNo = useValue('recordNo') ?? ''
  const found = useCall(findMachine, { query: { projectCode, recordNo } }, { quiet: true, enabled: recordNo.length >= shortestRecord })
  const machine = found.data?.machine
  return (
    <FieldGroup title="机械">
      <Field name="recordNo" label="产权备案编号">
        <Input maxLength={50} />
      </Field>
      {found.data && (
        <div className="zg-span-all">
          {machine ? (
            <Notice tone={found.data.busy ? 'danger' : 'info'}>
              {machine.name} {machine.model}，{machine.manufacturer} {machine.manufactureDate}，产权单位 {machine.ownerCorp}
              {found.data.busy && '：在另一工地尚未办理拆除完成，不能转入'}
            </Notice>
          ) : (
            <Notice tone="warning">没有该产权备案编号的机械，请选“新备案”</Notice>
          )}
        </div>
      )}
    </FieldGroup>
  )
}

const corpOptions = (choices: Choices) => choices.corps.map((one) => ({ value: one.code, label: one.name }))
const licensedOptions = (choices: Choices) =>
  choices.corps.map((one) => ({ value: one.code, label: one.licensed ? `${one.name} · 有起重安装资质` : one.name }))
const states: Readonly<Record<string, string>> = { ok: '', soon: '，30 日内到期', bad: '，已过期' }
const crewOptions = (people: readonly MachinePerson[]) =>
  people.map((one) => ({
    value: one.workerId,
    label: `${one.name}（${one.validEnd ? `证至 ${one.validEnd}` : '长期'}${states[one.state] ?? ''}）`,
  }))

export function StayFields({ choices }: { choices: Choices }) {
  return (
    <FieldGroup title="本工地">
      <Field name="useCorp" label="使用单位">
        <Choice options={corpOptions(choices)} />
      </Field>
      <Field name="maintainCorp" label="维保单位">
        <Input maxLength={100} />
      </Field>
      <Field name="position" label="安装位置">
        <Input maxLength={100} placeholder="例如 主楼东侧" />
      </Field>
    </FieldGroup>
  )
}

const Files = ({ label }: { label: string }) => (
  <Field name="files" label={label} span="all">
    <Upload max={mostMachineFiles} accept={papers} maxMb={mostMb} />
  </Field>
)
const DateField = ({ label }: { label: string }) => (
  <Field name="date" label={label}>
    <DayInput max={day(Date.now())} />
  </Field>
)
const TestFields = () => (
  <>
    <Field name="inspectOrg" label="检测机构">
      <Input maxLength={100} />
    </Field>
    <Field name="inspectDate" label="检测日期">
      <DayInput max={day(Date.now())} />
    </Field>
    <Field name="inspectReport" label="检测报告" span="all">
      <Upload max={mostMachineFiles} accept={papers} maxMb={mostMb} />
    </Field>
  </>
)

/** The fields of one legal step. */
export function StepFields({ file, step, choices }: { file: MachineDetail; step: Exclude<Step, 'save'>; choices: Choices }) {
  switch (step) {
    case 'file':
      return (
        <FieldGroup title="产权备案" remark="提交后由监管机构确认">
          <Field name="recordNo" label="产权备案编号" help="全库唯一，机械转项目时带着走">
            <Input maxLength={50} />
          </Field>
          <Files label="产权备案证明" />
        </FieldGroup>
      )
    case 'noticeInstall':
      return (
        <FieldGroup title="安装告知" remark="提交后由监管机构确认，确认后才能安装">
          <Field name="installCorp" label="安装单位" help="须有起重设备安装工程专业承包资质">
            <Choice options={licensedOptions(choices)} />
          </Field>
          <Field name="installDate" label="安装告知日期">
            <DayInput />
          </Field>
          <Field name="maxHeight" label="安装高度">
            <NumberInput unit="m" min={0} />
          </Field>
          <Field name="installers" label="安装拆卸人员" span="all" help="本项目持安装拆卸工证的人员">
            <Several
              options={crewOptions([
                ...choices.installers,
                ...file.installers.filter((one) => !choices.installers.some((known) => known.workerId === one.workerId)),
              ])}
            />
          </Field>
          <Files label="安装专项方案" />
        </FieldGroup>
      )
    case 'install':
      return (
        <FieldGroup title="安装">
          <DateField label="开始安装日期" />
        </FieldGroup>
      )
    case 'selfCheck':
      return (
        <FieldGroup title="自检">
          <DateField label="自检完成日期" />
          <Files label="自检记录" />
        </FieldGroup>
      )
    case 'saveTest':
      return (
        <FieldGroup title="检测与联合验收" remark="保存后五方在详情页签字，签齐后提交">
          <TestFields />
          <Field name="acceptDate" label="联合验收日期">
            <DayInput max={day(Date.now())} />
          </Field>
        </FieldGroup>
      )
    case 'retest':
      return (
        <FieldGroup title="定期检测" remark="下次检验日期由检测日期算出">
          <TestFields />
        </FieldGroup>
      )
    case 'staff':
      return (
        <FieldGroup title="司机与监测">
          <Field name="operators" label="司机" span="all" help="本项目持起重机械司机证的人员，证书须与设备类型相符">
            <Several
              options={crewOptions([
                ...choices.operators,
                ...file.operators.filter((one) => !choices.operators.some((known) => known.workerId === one.workerId)),
              ])}
            />
          </Field>
          <Field name="deviceId" label="监测设备">
            <Choice options={choices.devices.map((one) => ({ value: one.id, label: one.name }))} />
          </Field>
          <Field name="maintainCorp" label="维保单位">
            <Input maxLength={100} />
          </Field>
        </FieldGroup>
      )
    case 'noticeDismantle':
      return (
        <FieldGroup title="拆卸告知" remark="提交后由监管机构确认">
          <Field name="dismantleCorp" label="拆卸单位">
            <Choice options={licensedOptions(choices)} />
          </Field>
          <DateField label="告知日期" />
          <Files label="拆卸专项方案" />
        </FieldGroup>
      )
    case 'dismantle':
      return (
        <FieldGroup title="拆除完成" remark="完成后可凭产权备案编号转入其他项目">
          <DateField label="拆除完成日期" />
          <Files label="拆除记录" />
        </FieldGroup>
      )
  }
}
