import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { causeSources, listCauses, mostCauses, noExceedance, stateCause } from '@zhugong/contract/monitoring/exceed-causes'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { type BodyOf, Field, FormDrawer } from '#kit/form.tsx'
import { time } from '#kit/format.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import type { AlarmFile } from './alarm-drawer.tsx'

export const isExceedance = (file: Pick<AlarmFile, 'family' | 'alarmKey'>) =>
  file.family === 'environment' && !noExceedance.includes(file.alarmKey)

/** Where an exceedance came from, as the site says it: beside what was done about the alarm. */
export function AlarmCauses({ file }: { file: AlarmFile }) {
  const may = useCan(stateCause, { projectCode: file.projectCode })
  const [open, setOpen] = useState(false)
  const { data } = useCall(listCauses, { query: { projectCode: file.projectCode, alarmId: file.id, size: mostCauses } }, { quiet: true })
  const list = data?.list ?? []
  return (
    <Card
      title="原因说明"
      remark={file.permitNo === null ? '由项目说明，不改变处置状态' : `夜间施工许可 ${file.permitNo} 期内`}
      actions={may && list.length < mostCauses && <Button onClick={() => setOpen(true)}>说明原因</Button>}
    >
      {list.length === 0 ? (
        <p className="zg-2">{data === undefined ? '读取中' : '项目还没有说明原因'}</p>
      ) : (
        <ul className="alarm-causes">
          {list.map((one) => (
            <li key={one.id}>
              <Tag>{causeSources[one.source]}</Tag> {one.text}
              <p className="zg-2">
                {one.byName} {time(one.at)}
                {one.files.map((href, n) => (
                  <a key={href} href={href} target="_blank" rel="noreferrer">
                    　照片 {n + 1}
                  </a>
                ))}
              </p>
            </li>
          ))}
        </ul>
      )}
      {open && <CauseForm file={file} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function CauseForm({ file, onClose }: { file: AlarmFile; onClose: () => void }) {
  const act = useAct(stateCause, { success: '已说明原因', refreshes: [listCauses, getAlarm], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="说明超标原因"
      remark={`${file.deviceName}　${file.alarmLabel}　${time(file.startTime).slice(0, 16)}`}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof stateCause>) => ({ query: { projectCode: file.projectCode }, body: { ...body, alarmId: file.id } })}
      onClose={onClose}
    >
      <Field name="source" label="来源" required>
        <Choice clear={false} options={Object.entries(causeSources).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="text" label="原因说明" required help="提交后不能修改；情况变化时再说明一次，各次都保留">
        <LongText rows={4} maxLength={300} />
      </Field>
      <Field name="files" label="照片">
        <Upload max={6} maxMb={20} accept="image/*" />
      </Field>
    </FormDrawer>
  )
}
