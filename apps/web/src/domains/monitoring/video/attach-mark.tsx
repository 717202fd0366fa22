import { findAlarms } from '@zhugong/contract/alarms/lists'
import { attachMark, listMarks, markKinds, type VideoMark } from '@zhugong/contract/monitoring/video/video-marks'
import { useAct, useCall } from '#kit/call.ts'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice } from '#kit/inputs.tsx'

const { Field } = formOf(attachMark)

/** The alarm started at most a day before or after the mark. */
const aroundMs = 86_400_000
const available = 200

/** Attaches a picture or bookmark to an alarm of its site. */
export function AttachMark({ mark, onClose }: { mark: VideoMark; onClose: () => void }) {
  const { projectCode, at } = mark
  const alarms = useCall(
    findAlarms,
    { query: { projectCode, startTime: String(at - aroundMs), endTime: String(at + aroundMs), size: available, sort: '-startTime' } },
    { quiet: true },
  )
  const act = useAct(attachMark, { success: '已附到告警，在告警详情里显示', refreshes: [listMarks] })
  return (
    <FormDrawer
      open
      narrow
      width={460}
      title="附到告警"
      remark={`${markKinds[mark.kind]} ${mark.deviceName} ${time(at)}`}
      act={act}
      initial={{}}
      onClose={onClose}
      input={({ alarmId }: Values) => ({ params: { id: mark.id }, query: { projectCode }, body: { alarmId: String(alarmId) } })}
    >
      <Field name="alarmId" label="告警" span="all" required help="列出画面前后一天内本项目的告警">
        <Choice
          loading={alarms.isPending}
          options={(alarms.data?.list ?? []).map((one) => ({
            value: one.id,
            label: `${time(one.startTime).slice(5, 16)} ${one.deviceName} ${one.alarmLabel}`,
          }))}
        />
      </Field>
    </FormDrawer>
  )
}
