import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type getDuty, listLooks, saveDutyHours, setDuty } from '@zhugong/contract/tracks/calls'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Notice, Pairs } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { timeOfDay } from '#kit/format.ts'
import { Choices, ClockInput, NumberInput } from '#kit/inputs.tsx'

type Duty = OutputFor<typeof getDuty>
const weekdays = ['一', '二', '三', '四', '五', '六', '日'].map((word, at) => ({ value: String(at + 1), label: `周${word}` }))
export const weekdayWords = (days: readonly number[]): string => days.map((one) => weekdays[one - 1]?.label ?? '').join('、')

/** The officer's own switch, who can see him, and who looked. */
export function DutyDrawer({ duty, problem, onClose }: { duty: Duty; problem: string | undefined; onClose: () => void }) {
  const act = useAct(setDuty, { success: duty.on ? '执勤定位已关闭' : '执勤定位已开启' })
  const looks = useCall(listLooks, { query: { size: 20 } }, { quiet: true, staleMs: 0 })
  const [setting, setSetting] = useState(false)
  return (
    <Drawer open title="执勤定位" size={420} onClose={onClose}>
      {problem && <Notice tone="warning">{problem}</Notice>}
      <Card
        title={duty.on ? '已开启' : '已关闭'}
        remark={duty.why}
        actions={
          <Button type={duty.on ? 'default' : 'primary'} loading={act.running} onClick={() => void act.run({ body: { on: !duty.on } })}>
            {duty.on ? '关闭定位' : '开启定位'}
          </Button>
        }
      >
        <Pairs
          items={[
            { label: '采集时段', value: `${weekdayWords(duty.weekdays)} ${duty.begin}–${duty.end}，以及检查进行中`, wide: true },
            { label: '开启时间', value: duty.since === null ? '--' : timeOfDay(duty.since) },
            { label: '保存', value: `${duty.keepDays} 天` },
            { label: '谁能看', value: `本机构 ${duty.viewers} 人，每次查看留痕`, wide: true },
          ]}
        />
        <p className="zg-row zg-gap-8">
          <Link to="/supervisionTrack" onClick={onClose}>
            我的轨迹
          </Link>
          {duty.maySet && (
            <Button type="link" onClick={() => setSetting(true)}>
              设置执勤时段
            </Button>
          )}
        </p>
      </Card>
      <Card title="谁看过我" remark={looks.data ? `${looks.data.total} 次` : undefined}>
        <ul className="zg-work-lines">
          {(looks.data?.list ?? []).map((one) => (
            <li key={one.id}>
              {one.lookerName} {one.kindName} <span className="zg-2">{one.at.slice(0, 16)}</span>
              {one.purpose && <span className="zg-2">（{one.purpose}）</span>}
            </li>
          ))}
          {looks.data?.total === 0 && <li className="zg-2">还没有人看过</li>}
        </ul>
      </Card>
      {setting && <HoursDrawer duty={duty} onClose={() => setSetting(false)} />}
    </Drawer>
  )
}

const { Field } = formOf(saveDutyHours)

function HoursDrawer({ duty, onClose }: { duty: Duty; onClose: () => void }) {
  const act = useAct(saveDutyHours, { success: '执勤时段已保存' })
  const { begin, end, keepDays, version } = duty
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="执勤时段"
      remark="时段以外，没有进行中的检查时不采集位置"
      initial={{ begin, end, keepDays, version, weekdays: duty.weekdays.map(String) }}
      input={(body) => {
        const given = body as unknown as BodyOf<typeof saveDutyHours>
        return { body: { ...given, version, weekdays: given.weekdays.map(Number) } }
      }}
      onClose={onClose}
    >
      <Field name="begin" label="开始" required>
        <ClockInput />
      </Field>
      <Field name="end" label="结束" required>
        <ClockInput />
      </Field>
      <Field name="weekdays" label="执勤日" required span="all">
        <Choices options={weekdays} />
      </Field>
      <Field name="keepDays" label="保存天数" required>
        <NumberInput min={7} max={180} />
      </Field>
    </FormDrawer>
  )
}
