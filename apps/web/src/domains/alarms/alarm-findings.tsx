import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { listFindings, longestRoundHours, mostFindings, stateFinding } from '@zhugong/contract/monitoring/alarm-findings'
import { findingKinds, findingName, noFinding } from '@zhugong/contract/monitoring/finding-kinds'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { type BodyOf, Field, FormDrawer } from '#kit/form.tsx'
import { time } from '#kit/format.ts'
import { Choice, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import type { AlarmFile } from './alarm-drawer.tsx'

export const kindAt = (file: Pick<AlarmFile, 'family' | 'alarmKey'>) =>
  noFinding.includes(file.alarmKey) ? undefined : findingKinds[file.family]
type Kind = NonNullable<ReturnType<typeof kindAt>>

/** What was found out or decided at an alarm: beside what was done about it. */
export function AlarmFindings({ file, kind }: { file: AlarmFile; kind: Kind }) {
  const may = useCan(stateFinding, { projectCode: file.projectCode })
  const [open, setOpen] = useState(false)
  const { data } = useCall(
    listFindings,
    { query: { projectCode: file.projectCode, alarmId: file.id, size: mostFindings } },
    { quiet: true },
  )
  const list = data?.list ?? []
  return (
    <Card
      title={kind.title}
      remark="不改变处置状态，各次都保留"
      actions={may && list.length < mostFindings && <Button onClick={() => setOpen(true)}>{kind.verb}</Button>}
    >
      {list.length === 0 ? (
        <p className="zg-2">{data === undefined ? '读取中' : '还没有登记'}</p>
      ) : (
        <ul className="alarm-causes">
          {list.map((one) => (
            <li key={one.id}>
              <Tag>{findingName(file.family, one.code)}</Tag> {one.text}
              {one.person && `；责任人 ${one.person}`}
              {one.everyHours && `，每 ${one.everyHours} 小时测一次`}
              <p className="zg-2">
                {one.byName}（{one.byGroup}）{time(one.at)}
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
      {open && <FindingForm file={file} kind={kind} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function FindingForm({ file, kind, onClose }: { file: AlarmFile; kind: Kind; onClose: () => void }) {
  const act = useAct(stateFinding, { success: `已${kind.verb}`, refreshes: [listFindings, getAlarm], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={kind.verb}
      remark={`${file.deviceName}　${file.alarmLabel}　${time(file.startTime).slice(0, 16)}`}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof stateFinding>) => ({ query: { projectCode: file.projectCode }, body: { ...body, alarmId: file.id } })}
      onClose={onClose}
    >
      <Field name="code" label={kind.decides ? '决定' : '类别'} required>
        <Choice clear={false} options={Object.entries(kind.codes).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="text" label="说明" required help="提交后不能修改；情况变化时再登记一次">
        <LongText rows={4} maxLength={300} />
      </Field>
      {kind.decides && (
        <>
          <Field name="person" label="责任人" required>
            <Input maxLength={40} />
          </Field>
          <Field name="everyHours" label="加密间隔（小时）" help="加密监测时必填">
            <NumberInput min={1} max={longestRoundHours} precision={0} />
          </Field>
        </>
      )}
      <Field name="files" label="照片">
        <Upload max={6} maxMb={20} accept="image/*" />
      </Field>
    </FormDrawer>
  )
}
