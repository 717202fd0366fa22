import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listMyRecords } from '@zhugong/contract/settings/my-person'
import {
  appealBadRecord,
  complainOfWages,
  type DisputeSubject,
  disputeRecord,
  disputeSubjects,
  eraseMyData,
  forever,
  previewErasure,
  renewIdCard,
} from '@zhugong/contract/settings/my-requests'
import { Button, Checkbox, Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FormDrawer, ReadOnly, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, MoneyInput, MonthInput, Upload } from '#kit/inputs.tsx'

const { Field } = formOf(disputeRecord, complainOfWages, appealBadRecord, renewIdCard, eraseMyData)

type Stays = OutputFor<typeof listMyRecords>['list']

/** Stays recorded by the platform, as options. */
const choicesOf = (stays: Stays) =>
  stays
    .filter((one) => one.source === 'platform')
    .map((one) => ({ value: one.id, label: `${one.projectName}（${one.entryTime} 至 ${one.exitTime ?? '今'}）` }))

const useStays = () => useCall(listMyRecords, {}, { quiet: true, staleMs: 15_000 })

export interface Disputed {
  subject: DisputeSubject
  /** Value recorded by the platform. */
  says: string
  stayId?: string
  workDay?: string
  trainingId?: string
  badId?: string
}

/** The request concerns any project; the disputed row determines which. */
const ofAnyProject = <Body,>(body: Body) => ({ query: { projectCode: '*' }, body })

/** Disputes a row: what is wrong and what would be right. */
export function DisputeDrawer({ of, onClose }: { of: Disputed; onClose: () => void }) {
  const act = useAct(disputeRecord, { success: '已提交，由项目劳务员核实' })
  const stays = useStays()
  const { says, ...initial } = of
  return (
    <FormDrawer
      open
      narrow
      width={520}
      act={act}
      input={ofAnyProject}
      title="对记录有异议"
      remark={disputeSubjects[of.subject]}
      initial={{ ...initial, files: [] }}
      onClose={onClose}
      saveText="提交异议"
    >
      {says !== '' && (
        <Field name="subject" label="平台记录" required={false} span="all">
          <Said text={says} />
        </Field>
      )}
      {says === '' && (
        <Field name="stayId" label="所在项目" span="all" required>
          <Choice options={choicesOf(stays.data?.list ?? [])} loading={stays.isPending} />
        </Field>
      )}
      {of.subject === 'attendance' && (
        <Field name="workDay" label="考勤日" span="all" required>
          <DayInput max={day(Date.now())} />
        </Field>
      )}
      <Field name="reason" label="哪里不对，应当是什么" span="all">
        <LongText rows={4} />
      </Field>
      <Evidence label="证明材料" help="照片、打卡截图、班组长确认等，可不上传" />
    </FormDrawer>
  )
}

const Evidence = ({ label, help }: { label: string; help?: string }) => (
  <Field name="files" label={label} span="all" help={help}>
    <Upload max={9} accept="image/*,.pdf" />
  </Field>
)

const Said = ({ text }: { text: string }) => <ReadOnly value={text} />

/** Complaint about unpaid wages: months and amount. */
export function WageDrawer({ projectName, onClose }: { projectName?: string; onClose: () => void }) {
  const act = useAct(complainOfWages, { success: '已提交，由项目劳务员核实，监督机构同时收到抄送' })
  const stays = useStays()
  if (!stays.data) return null
  const { list } = stays.data
  const stay = list.find((one) => one.source === 'platform' && one.projectName === projectName)
  return (
    <FormDrawer
      open
      act={act}
      input={ofAnyProject}
      title="反映欠薪"
      remark="项目劳务员 3 日内答复，监督机构同时收到"
      initial={{ stayId: stay?.id, amount: null, files: [] }}
      onClose={onClose}
      saveText="提交"
    >
      <Field name="stayId" label="所在项目" span="all">
        <Choice options={choicesOf(list)} clear={false} />
      </Field>
      <Field name="fromMonth" label="欠付起始月份">
        <MonthInput />
      </Field>
      <Field name="toMonth" label="欠付截止月份">
        <MonthInput />
      </Field>
      <Field name="amount" label="欠付金额" help="不清楚可不填">
        <MoneyInput />
      </Field>
      <Field name="reason" label="情况说明" span="all">
        <LongText rows={4} />
      </Field>
      <Evidence label="证明材料" help="工资条、银行流水、考勤记录等" />
    </FormDrawer>
  )
}

/** Appeal against a bad record. */
export function AppealDrawer({ bad, onClose }: { bad: { id: string; name: string; until: string | null }; onClose: () => void }) {
  const act = useAct(appealBadRecord, { success: '已提交申诉' })
  return (
    <FormDrawer
      open
      narrow
      width={520}
      act={act}
      input={ofAnyProject}
      title="申诉"
      remark={bad.name}
      initial={{ badId: bad.id, files: [] }}
      onClose={onClose}
      saveText="提交申诉"
    >
      <div className="zg-span-all">
        <Notice tone="warning">
          {bad.until && `${bad.until} 前可以申诉。`}申诉期间记录继续有效；由监督机构或总承包单位中原认定人以外的人员复核，10 日内答复。
        </Notice>
      </div>
      <Field name="reason" label="申诉理由" span="all">
        <LongText rows={5} />
      </Field>
      <Evidence label="证据" />
    </FormDrawer>
  )
}

/** Submits the data of a renewed ID card. */
export function RenewDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(renewIdCard, { success: '已提交，由项目劳务员核对后写入档案' })
  return (
    <FormDrawer
      open
      act={act}
      input={ofAnyProject}
      title="更新证件"
      remark="核对通过后写入实名档案，原证件照片被替换"
      initial={{ front: [], back: [] }}
      onClose={onClose}
      saveText="提交"
    >
      <Field name="startDate" label="有效期起">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="expiryDate" label="有效期止" extra={<Forever />}>
        <DayInput min={day(Date.now())} />
      </Field>
      <Field name="grantOrg" label="发证机关" span="all">
        <Input />
      </Field>
      <Field name="front" label="证件正面">
        <Upload max={1} />
      </Field>
      <Field name="back" label="证件反面">
        <Upload max={1} />
      </Field>
    </FormDrawer>
  )
}

function Forever() {
  const form = useFormInstance()
  return (
    <Button type="link" size="small" onClick={() => form.setFieldValue('expiryDate', forever)}>
      长期
    </Button>
  )
}

/** Requests erasure; shows what is deleted, what must be kept and until when. */
export function EraseDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(eraseMyData, { success: '已提交，15 日内答复' })
  const scope = useCall(previewErasure, {}, { quiet: true })
  if (scope.error) return <ErrorPanel error={scope.error} retry={scope.refetch} />
  if (!scope.data) return <DetailSkeleton />
  const { hindered, goes, stays } = scope.data
  return (
    <FormDrawer
      open
      narrow
      width={640}
      act={act}
      input={ofAnyProject}
      title="申请删除个人资料"
      initial={{ reason: '' }}
      onClose={onClose}
      saveText="申请删除"
    >
      {hindered && (
        <div className="zg-span-all">
          <Notice tone="danger">{hindered}</Notice>
        </div>
      )}
      <section className="zg-span-all set-erase">
        <h3>批准后删除，不能恢复</h3>
        <ul>
          {goes.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        <h3>依法保留</h3>
        <table className="set-table">
          <thead>
            <tr>
              <th>资料</th>
              <th>保留到</th>
              <th>依据</th>
            </tr>
          </thead>
          <tbody>
            {stays.map((one) => (
              <tr key={one.what}>
                <td>{one.what}</td>
                <td>{one.until}</td>
                <td>{one.law}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Field name="reason" label="说明" span="all">
        <LongText rows={2} />
      </Field>
      <Field name="understood" valueName="checked" span="all">
        <Checkbox>已了解哪些资料会删除、哪些依法保留</Checkbox>
      </Field>
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
    </FormDrawer>
  )
}
