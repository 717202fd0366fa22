import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { type NoticeChannel, noticeChannel, noticeChannels } from '@zhugong/contract/notify/codes'
import type { LevelPlan } from '@zhugong/contract/rules/level-model'
import { Button, Checkbox, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { NumberInput } from '#kit/inputs.tsx'
import { usualRoles } from './exec-words.ts'

const worstLevel = 1
const channels = Object.keys(noticeChannels) as NoticeChannel[]

/** Notice plan of a level, used if the actions of a rule do not set one. */
export function LevelPlanFields({
  plan,
  level,
  onChange,
}: {
  plan: LevelPlan
  level: number
  onChange: (part: Partial<LevelPlan>) => void
}) {
  const setRung = (at: number, part: Partial<LevelPlan['escalation'][number]>) =>
    onChange({ escalation: plan.escalation.map((rung, i) => (i === at ? { ...rung, ...part } : rung)) })
  return (
    <fieldset className="rule-plan">
      <legend>默认方案</legend>
      <div className="rule-help">规则没有指定通知动作时，先通知安全员与当时值班的人</div>
      <Line label="渠道">
        <Checkbox.Group
          value={plan.channels}
          options={channels.map((value) => ({
            value,
            label: noticeChannels[value],
            // The highest level always sends in-app messages.
            ...(level === worstLevel && value === noticeChannel.inApp ? { disabled: true } : {}),
          }))}
          onChange={(channels: LevelPlan['channels']) => onChange({ channels })}
        />
      </Line>
      <Line label="重复提醒，直到接单">
        <NumberInput
          unit="分钟"
          min={0}
          max={10_080}
          placeholder="不重复"
          value={plan.repeatMinutes}
          onChange={(repeatMinutes) => onChange({ repeatMinutes: repeatMinutes ?? null })}
        />
      </Line>
      <div className="rule-part">
        <span>无人接单时升级</span>
        {plan.escalation.map((rung, i) => (
          <div key={i} className="rule-plan-rung">
            <InputNumber
              controls={false}
              suffix="分"
              className="zg-w-all"
              aria-label={`第 ${i + 1} 级升级的分钟数`}
              min={1}
              max={10_080}
              value={rung.afterMinutes}
              onChange={(n) => setRung(i, { afterMinutes: n ?? 0 })}
            />
            <Select
              mode="tags"
              aria-label={`第 ${i + 1} 级升级对象`}
              maxTagCount="responsive"
              value={rung.roles}
              options={usualRoles.map((role) => ({ value: role, label: role }))}
              onChange={(roles: string[]) => setRung(i, { roles })}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={`删除第 ${i + 1} 级`}
              onClick={() => onChange({ escalation: plan.escalation.filter((_, at) => at !== i) })}
            />
          </div>
        ))}
        {plan.escalation.length < 8 && (
          <Button
            size="small"
            type="dashed"
            icon={<PlusOutlined />}
            onClick={() =>
              onChange({ escalation: [...plan.escalation, { afterMinutes: (plan.escalation.at(-1)?.afterMinutes ?? 0) + 10, roles: [] }] })
            }
          >
            添加一级
          </Button>
        )}
      </div>
      <Checkbox checked={plan.photoRequired} onChange={(event) => onChange({ photoRequired: event.target.checked })}>
        处置须上传照片
      </Checkbox>
    </fieldset>
  )
}

export function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as children.
    <label className="rule-part">
      <span>{label}</span>
      {children}
    </label>
  )
}
