import {
  addNightPermit,
  listNightPermits,
  longestPermitDays,
  type NightPermit,
  voidNightPermit,
} from '@zhugong/contract/monitoring/environment/night-permits'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { LongText, TimeInput, Upload } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { EntryBook, VoidEntry } from '../entry-book.tsx'

const { Field } = formOf(addNightPermit, voidNightPermit)

const refreshes = [listNightPermits]
const most = 50
const short = (at: number) => time(at).slice(0, 16)

/** The permit in force for a site. */
export function usePermitNow(projectCode: string): NightPermit | undefined {
  const { data } = useCall(
    listNightPermits,
    { query: { projectCode, active: true, size: 1 } },
    { quiet: true, everyMs: 300_000, enabled: projectCode !== '*' },
  )
  return data?.list[0]
}

/** Night permits of a site, newest first. */
export function NightPermits({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const may = useCan(addNightPermit, projectCode === '*' ? {} : { projectCode })
  const [adding, setAdding] = useState(false)
  const [voiding, setVoiding] = useState<NightPermit>()
  const all = useCall(listNightPermits, { query: { projectCode, size: most } })
  return (
    <EntryBook
      title="夜间施工许可"
      size={560}
      note="许可只作凭证，不停止告警：许可期内的夜间噪声超标照常记录，标明许可编号并单独计数。"
      read={all}
      none="还没有登记许可"
      paper="文件"
      add={
        may &&
        projectCode !== '*' && (
          <Button type="primary" onClick={() => setAdding(true)}>
            登记许可
          </Button>
        )
      }
      head={(one) => (
        <>
          <Tag tone={one.voidBy ? 'neutral' : one.active ? 'fine' : 'neutral'}>
            {one.voidBy ? '已作废' : one.active ? '有效' : '不在期内'}
          </Tag>{' '}
          {one.permitNo}　{short(one.from)} 至 {short(one.until)}
          {may && !one.voidBy && (
            <Button size="small" onClick={() => setVoiding(one)}>
              作废
            </Button>
          )}
        </>
      )}
      said={(one) => [
        projectCode === '*' ? one.projectName : '',
        one.issuer,
        one.scope,
        `登记 ${one.byName}`,
        one.voidBy ? `${one.voidBy} 作废：${one.voidReason}` : '',
      ]}
      beside={(one) =>
        one.noisy > 0 && (
          <>
            ，
            <Link to={hrefOf('/alarmrecord', { tab: 'all', alarmKey: 'noiseNight', permitted: '1' })}>期内夜间噪声告警 {one.noisy} 条</Link>
          </>
        )
      }
      onClose={onClose}
    >
      {adding && <AddForm projectCode={projectCode} onClose={() => setAdding(false)} />}
      {voiding && <VoidForm permit={voiding} onClose={() => setVoiding(undefined)} />}
    </EntryBook>
  )
}

function AddForm({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const act = useAct(addNightPermit, { success: '许可已登记', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="登记夜间施工许可"
      initial={{ files: [] }}
      input={(body: BodyOf<typeof addNightPermit>) => ({ query: { projectCode }, body })}
      onClose={onClose}
    >
      <Field name="permitNo" label="许可编号" required>
        <Input placeholder="如 夜施2026-118" />
      </Field>
      <Field name="issuer" label="发证机关" required>
        <Input placeholder="如 区住房和城乡建设局" />
      </Field>
      <Field name="scope" label="许可范围" required>
        <LongText rows={2} maxLength={200} />
      </Field>
      <Field name="from" label="开始时间" required>
        <TimeInput />
      </Field>
      <Field name="until" label="结束时间" required help={`一张许可最长 ${longestPermitDays} 天`}>
        <TimeInput />
      </Field>
      <Field name="files" label="许可文件" required>
        <Upload max={6} maxMb={20} />
      </Field>
    </FormDrawer>
  )
}

function VoidForm({ permit, onClose }: { permit: NightPermit; onClose: () => void }) {
  return (
    <VoidEntry
      act={useAct(voidNightPermit, { success: '许可已作废', refreshes, onDone: onClose })}
      entry={permit}
      title={`作废许可 ${permit.permitNo}`}
      remark={`${short(permit.from)} 至 ${short(permit.until)}`}
      label="作废原因"
      help="作废后期内噪声按无许可计，记录保留"
      onClose={onClose}
    />
  )
}
