import { findAlarms } from '@zhugong/contract/alarms/lists'
import { attachReadings, listAlarmReadings } from '@zhugong/contract/monitoring/alarm-readings'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText } from '#kit/inputs.tsx'
import type { FamilyScope } from './family-scope.tsx'

const { Field } = formOf(attachReadings)

/** An alarm of this period starts at most a day before or after it. */
const aroundMs = 86_400_000
const available = 200

/** Attaches the displayed readings of a machine to an alarm of its site. */
export function AttachReadings({ scope }: { scope: FamilyScope }) {
  const [open, setOpen] = useState(false)
  const device = scope.devices.find((one) => one.id === scope.deviceId)
  const may = useCan(attachReadings, { projectCode: device?.projectCode })
  if (!may || !device) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        附到告警
      </Button>
      {open && <Form scope={scope} device={device} onClose={() => setOpen(false)} />}
    </>
  )
}

function Form({ scope, device, onClose }: { scope: FamilyScope; device: FamilyScope['devices'][number]; onClose: () => void }) {
  const { projectCode } = device
  const [{ from, to }] = useState(scope.period)
  const alarms = useCall(
    findAlarms,
    {
      query: {
        projectCode,
        family: scope.family,
        startTime: String(Math.round(from - aroundMs)),
        endTime: String(Math.round(to + aroundMs)),
        simulated: false,
        size: available,
        sort: '-startTime',
      },
    },
    { quiet: true },
  )
  const act = useAct(attachReadings, { success: '已附到告警，在告警详情里显示', refreshes: [listAlarmReadings] })
  return (
    <FormDrawer
      open
      narrow
      width={460}
      title="附到告警"
      remark={`${device.name} ${time(from)} 至 ${time(to)}`}
      act={act}
      initial={{}}
      onClose={onClose}
      input={({ alarmId, note }: Values) => ({
        query: { projectCode },
        body: { alarmId: String(alarmId), deviceId: device.id, from: time(from), to: time(to), note: typeof note === 'string' ? note : '' },
      })}
    >
      <Field name="alarmId" label="告警" span="all" required help="列出这段时间前后一天内本项目的告警">
        <Choice
          loading={alarms.isPending}
          options={(alarms.data?.list ?? []).map((one) => ({
            value: one.id,
            label: `${time(one.startTime).slice(5, 16)} ${one.deviceName} ${one.alarmLabel}`,
          }))}
        />
      </Field>
      <Field name="note" label="说明" span="all" help="这段记录说明什么">
        <LongText rows={2} maxLength={200} />
      </Field>
    </FormDrawer>
  )
}
