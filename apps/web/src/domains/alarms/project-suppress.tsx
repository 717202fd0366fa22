import { startSuppression, suppressKinds } from '@zhugong/contract/alarms/endpoints'
import { hourMs } from '@zhugong/contract/kit/time'
import { Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, Choices, LongText, TimeInput } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'

const { Field, useValue } = formOf(startSuppression)

interface Device {
  id: string
  name: string
  family: string
}

/** Requests a pause of a device's alarms during maintenance, with a responsible person. */
export function ProjectSuppress({
  devices,
  deviceId,
  projectCode,
  kind = 'other',
  title = '申请临时停用告警',
  alarmKeys = [],
  onClose,
}: {
  devices: readonly Device[]
  deviceId: string | undefined
  projectCode: string
  kind?: keyof typeof suppressKinds
  title?: string
  /** Preselected alarm kinds, if the work needs only these paused. */
  alarmKeys?: readonly string[]
  onClose: () => void
}) {
  const own = useMe((me) => me.info?.name)
  const act = useAct(startSuppression, { success: ({ code }) => `已提交 ${code}，同意后停用，到期自动恢复` })
  return (
    <FormDrawer
      open
      title={title}
      remark="检修、顶升、校准期间，经本项目另一人同意后停用"
      act={act}
      initial={{ deviceId, kind, alarmKeys: [...alarmKeys], personName: own, until: time(Date.now() + 2 * hourMs) }}
      saveText="提交申请"
      onClose={onClose}
      input={(values: Values) => ({ query: { projectCode }, body: values })}
    >
      <Fields devices={devices} />
    </FormDrawer>
  )
}

function Fields({ devices }: { devices: readonly Device[] }) {
  const deviceId = useValue('deviceId')
  const device = devices.find((one) => one.id === deviceId)
  const family = useFamily(device?.family)
  return (
    <>
      <Field name="deviceId" label="设备" required>
        <Choice clear={false} options={devices.map((one) => ({ value: one.id, label: one.name }))} />
      </Field>
      <Field name="point" label="测点" help="不填为整台设备">
        <Input />
      </Field>
      <Field name="alarmKeys" label="告警" span="all" help="不选为这台设备的全部告警；群塔碰撞与 SOS 最多停用 2 小时">
        <Choices options={(family.data?.alarms ?? []).map((one) => ({ value: one.key, label: one.label }))} />
      </Field>
      <Field name="kind" label="原因" required>
        <Choice clear={false} options={Object.entries(suppressKinds).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="from" label="开始时间" help="不填为同意后即刻；预先安排的作业填开始时间">
        <TimeInput />
      </Field>
      <Field name="until" label="恢复时间" required help="到时自动恢复，最多 30 天">
        <TimeInput />
      </Field>
      <Field name="personName" label="负责人" required>
        <Input />
      </Field>
      <Field name="reason" label="说明" required span="all">
        <LongText rows={2} />
      </Field>
    </>
  )
}
