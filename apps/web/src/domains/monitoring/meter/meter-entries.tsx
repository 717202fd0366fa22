import {
  addMeterEntry,
  listMeterEntries,
  type MeterEntry,
  type MeterEntryKind,
  meterEntryKinds,
  voidMeterEntry,
} from '@zhugong/contract/monitoring/meter/meter-entries'
import { electricRecords } from '@zhugong/contract/monitoring/meter/meters'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { measure, time } from '#kit/format.ts'
import { NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { EntryBook, VoidEntry } from '../entry-book.tsx'
import type { Desk } from '../family-monitor.tsx'
import '../lift/lift.css'

const { Field } = formOf(addMeterEntry, voidMeterEntry)

interface Meter {
  /** Water meters have no transformers. */
  family: string
  deviceId: string
  deviceName: string
  projectCode: string
}
const most = 50

/** The selected meter of a monitor. */
export const meterOf = ({ device, projectCode }: Pick<Desk, 'device' | 'projectCode'>): Meter | undefined =>
  device && { family: device.family, deviceId: device.id, deviceName: device.name, projectCode }

export function EntriesButton({ meter }: { meter: Meter | undefined }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button disabled={!meter} onClick={() => setOpen(true)}>
        抄表与换表
      </Button>
      {open && meter && <MeterEntries meter={meter} onClose={() => setOpen(false)} />}
    </>
  )
}

const refreshes = [listMeterEntries, electricRecords]

/** Manual readings and replacements of a meter. */
function MeterEntries({ meter, onClose }: { meter: Meter; onClose: () => void }) {
  const may = useCan(addMeterEntry, { projectCode: meter.projectCode })
  const [adding, setAdding] = useState<MeterEntryKind>()
  const [voiding, setVoiding] = useState<MeterEntry>()
  const all = useCall(listMeterEntries, { query: { projectCode: meter.projectCode, deviceId: meter.deviceId, size: most } })
  return (
    <EntryBook
      title={`抄表与换表　${meter.deviceName}`}
      note="表计离线或没有远传时按表盘登记，计入用量与月结；换表时旧表止码与新表起码两段用量相加。"
      read={all}
      none="还没有人工登记"
      paper="照片"
      add={
        may && (
          <>
            <Button onClick={() => setAdding('change')}>登记换表</Button>
            <Button type="primary" onClick={() => setAdding('reading')}>
              人工抄表
            </Button>
          </>
        )
      }
      head={(one) => (
        <>
          <Tag tone={one.voidBy ? 'neutral' : one.kind === 'change' ? 'warning' : 'fine'}>
            {one.voidBy ? '已撤销' : meterEntryKinds[one.kind]}
          </Tag>{' '}
          {time(one.at).slice(0, 16)}{' '}
          {one.startReading === null ? measure(one.reading, 2) : `旧表 ${measure(one.reading, 2)} → 新表 ${measure(one.startReading, 2)}`}
          {one.nextRatio !== null && `，变比 ${one.prevRatio} → ${one.nextRatio}`}
          {may && !one.voidBy && !one.locked && (
            <Button size="small" onClick={() => setVoiding(one)}>
              撤销
            </Button>
          )}
        </>
      )}
      said={(one) => [one.reason, `登记 ${one.byName}`, one.voidBy ? `${one.voidBy} 撤销：${one.voidReason}` : one.locked ? '已月结' : '']}
      onClose={onClose}
    >
      {adding && <AddForm meter={meter} kind={adding} onClose={() => setAdding(undefined)} />}
      {voiding && <VoidForm meter={meter} entry={voiding} onClose={() => setVoiding(undefined)} />}
    </EntryBook>
  )
}

function AddForm({ meter, kind, onClose }: { meter: Meter; kind: MeterEntryKind; onClose: () => void }) {
  const act = useAct(addMeterEntry, { success: `已登记${meterEntryKinds[kind]}`, refreshes, onDone: onClose })
  const isChange = kind === 'change'
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title={isChange ? '登记换表' : meterEntryKinds.reading}
      remark={meter.deviceName}
      initial={{ files: [], sure: false }}
      input={(body: BodyOf<typeof addMeterEntry>) => ({
        query: { projectCode: meter.projectCode },
        body: { ...body, deviceId: meter.deviceId, kind },
      })}
      onClose={onClose}
    >
      <Field name="at" label={isChange ? '换表时间' : '抄表时间'} help="不填为现在">
        <TimeInput />
      </Field>
      <Field name="reading" label={isChange ? '旧表止码' : '读数'} required help="表盘所示，未乘倍率">
        <NumberInput />
      </Field>
      {isChange && (
        <Field name="startReading" label="新表起码" required>
          <NumberInput />
        </Field>
      )}
      {isChange && meter.family === 'electricMeter' && (
        <Field
          name="ratio"
          label="新变比（CT×PT）"
          help="互感器一并更换时填写，自换表时刻起按新变比计；之前的用量与已月结的数不变。只换互感器时新表起码与旧表止码相同"
        >
          <NumberInput min={1} precision={0} />
        </Field>
      )}
      <Field name="reason" label="原因" required>
        <Input placeholder={isChange ? '如 表计损坏更换' : '如 表计离线'} />
      </Field>
      <Field name="files" label={isChange ? '旧表与新表照片' : '表盘照片'} required>
        <Upload max={6} maxMb={20} accept="image/*" />
      </Field>
      <Field name="sure" valueName="checked">
        <Checkbox>读数已核对，用量异常属实</Checkbox>
      </Field>
    </FormDrawer>
  )
}

function VoidForm({ meter, entry, onClose }: { meter: Meter; entry: MeterEntry; onClose: () => void }) {
  return (
    <VoidEntry
      act={useAct(voidMeterEntry, { success: '已撤销，用量已重算', refreshes, onDone: onClose })}
      entry={{ id: entry.id, projectCode: meter.projectCode }}
      title={`撤销${meterEntryKinds[entry.kind]}`}
      remark={`${meter.deviceName}　${time(entry.at).slice(0, 16)}　${measure(entry.reading, 2)}`}
      label="撤销原因"
      help="撤销后不再计入用量，记录保留"
      onClose={onClose}
    />
  )
}
