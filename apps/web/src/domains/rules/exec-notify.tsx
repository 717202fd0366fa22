import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { noticeChannels, usualNoticeText } from '@zhugong/contract/notify/codes'
import type { execReceivers } from '@zhugong/contract/notify/endpoints'
import { Button, Checkbox, Input, type InputRef, Select } from 'antd'
import { useRef } from 'react'
import { Tag } from '#kit/feedback.tsx'
import { FormSection } from '#kit/form-frame.tsx'
import { Choices, ClockInput, NumberInput } from '#kit/inputs.tsx'
import { type NotifyPart, type Rung, usualRoles, variables } from './exec-words.ts'
import { FieldLabel } from './field-label.tsx'
import { Stairs } from './stairs.tsx'

type Receivers = OutputFor<typeof execReceivers>
const textMax = 500
const laddersMost = 8

/** Recipients, channels and text of a notice, and escalation if nobody acknowledges. */
export function NotifyFields({
  value,
  onChange,
  errors,
  receivers,
  people,
  onSite,
}: {
  value: NotifyPart
  onChange: (part: Partial<NotifyPart>) => void
  errors: Readonly<Record<string, string>>
  receivers: Receivers | undefined
  people: readonly { id: string; name: string }[]
  /** Whether one project is selected, so that names can be shown. */
  onSite: boolean
}) {
  const area = useRef<InputRef>(null)
  const roleOptions = [...new Set([...(receivers?.roles ?? usualRoles), ...value.roles])].map((role) => ({ value: role, label: role }))
  const nobody = (receivers?.list ?? []).filter((one) => one.empty).map((one) => (one.kind === 'duty' ? '值班人员' : one.name))
  const first = [...value.roles, ...(value.onDuty ? ['值班人员'] : []), ...(value.userIds.length ? [`${value.userIds.length} 人`] : [])]
  const notReady = (receivers?.channels ?? []).filter((one) => !one.ready && value.channels.includes(one.channel))
  const put = (name: string) => onChange({ text: `${value.text ?? ''}{${name}}` })
  const setRung = (at: number, part: Partial<Rung>) =>
    onChange({ escalation: value.escalation.map((rung, i) => (i === at ? { ...rung, ...part } : rung)) })
  const last = value.escalation.at(-1)?.afterMinutes ?? 0
  return (
    <>
      <FormSection title="通知" remark="告诉谁、走什么渠道、说什么">
        <div className="rule-parts">
          <FieldLabel label="角色" wide required error={errors['notify.roles']} hint="发送时按角色找人，离场的人不再收到">
            <Select
              mode="tags"
              className="zg-w-all"
              maxTagCount="responsive"
              tokenSeparators={['、', ',', '，']}
              aria-label="角色"
              placeholder="选择或输入角色"
              value={value.roles}
              options={roleOptions}
              onChange={(roles: string[]) => onChange({ roles: roles.map((one) => one.trim().slice(0, 40)).filter(Boolean) })}
            />
          </FieldLabel>
          <FieldLabel label="指定人员" wide error={errors['notify.userIds']}>
            <Choices
              value={value.userIds}
              options={people.map((one) => ({ value: one.id, label: one.name }))}
              onChange={(userIds) => onChange({ userIds: userIds ?? [] })}
            />
          </FieldLabel>
          <FieldLabel label="值班表" hint="当时值班的人">
            <Checkbox checked={value.onDuty} onChange={(event) => onChange({ onDuty: event.target.checked })}>
              通知值班人员
            </Checkbox>
          </FieldLabel>
        </div>
        {onSite ? (
          <Behind receivers={receivers} channels={value.channels} />
        ) : (
          <div className="rule-help">在页首选定一个项目后，可以看到每个角色现在是哪些人。</div>
        )}
        <div className="rule-parts zg-above-12">
          <FieldLabel label="渠道" required wide error={errors['notify.channels']} hint="重试三次仍失败时改走其他渠道">
            <Checkbox.Group
              value={value.channels}
              options={Object.entries(noticeChannels).map(([channel, label]) => ({ value: channel, label }))}
              onChange={(channels) => onChange({ channels: channels.map(String) })}
            />
            {notReady.map((one) => (
              <small key={one.channel} role="alert">
                {one.name}尚未配置，发送会失败并改走其他渠道
              </small>
            ))}
          </FieldLabel>
          <FieldLabel label="重复提醒" hint="空按等级，0 不重复" error={errors['notify.repeatMinutes']}>
            <NumberInput
              unit="分钟"
              min={0}
              max={10_080}
              value={value.repeatMinutes ?? null}
              onChange={(repeatMinutes) => onChange({ repeatMinutes: repeatMinutes as number })}
            />
          </FieldLabel>
        </div>
        <div className="rule-part zg-above-12">
          <span>
            通知内容<em>不填则用默认内容，点变量插入</em>
            <span className="rule-count">
              {(value.text ?? '').length} / {textMax}
            </span>
          </span>
          <Input.TextArea
            ref={area}
            aria-label="通知内容"
            rows={3}
            maxLength={textMax}
            placeholder={usualNoticeText}
            value={value.text ?? ''}
            status={errors['notify.text'] ? 'error' : undefined}
            onChange={(event) => onChange({ text: event.target.value })}
          />
          <div className="rule-variables">
            {variables.map((name) => (
              <button key={name} type="button" onClick={() => put(name)} title={`插入 {${name}}`}>
                {`{${name}}`}
              </button>
            ))}
          </div>
          {errors['notify.text'] && <small role="alert">{errors['notify.text']}</small>}
        </div>
        <div className="rule-parts zg-above-12">
          <FieldLabel label="静默时段" hint="一级不受静默限制" error={errors['notify.quietHours']} wide>
            <Checkbox
              checked={value.quietHours !== null}
              onChange={(event) => onChange({ quietHours: event.target.checked ? { from: '22:00', to: '06:00' } : null })}
            >
              夜间或午休不打扰，结束时汇总为一条
            </Checkbox>
          </FieldLabel>
          {value.quietHours && (
            <>
              <FieldLabel label="从">
                <ClockInput
                  value={value.quietHours.from}
                  onChange={(from) => from && value.quietHours && onChange({ quietHours: { ...value.quietHours, from } })}
                />
              </FieldLabel>
              <FieldLabel label="到" hint={value.quietHours.to < value.quietHours.from ? '次日' : undefined}>
                <ClockInput
                  value={value.quietHours.to}
                  onChange={(to) => to && value.quietHours && onChange({ quietHours: { ...value.quietHours, to } })}
                />
              </FieldLabel>
            </>
          )}
        </div>
      </FormSection>
      <FormSection
        title="升级"
        remark="没有人接单时依次往上报，有人接单即停"
        actions={
          value.escalation.length < laddersMost && (
            <Button
              icon={<PlusOutlined />}
              onClick={() => onChange({ escalation: [...value.escalation, { afterMinutes: last + (last < 15 ? 5 : 15), roles: [] }] })}
            >
              添加一级
            </Button>
          )
        }
      >
        <Stairs first={first.join('、')} rungs={value.escalation} nobody={nobody} />
        {value.escalation.length === 0 && <div className="rule-help">没有升级：无人接单时只按重复提醒再通知同一批人。</div>}
        {value.escalation.map((rung, i) => (
          <div className="rule-rung" key={i}>
            <b>{i + 1}</b>
            <FieldLabel label="告警后" error={errors[`notify.escalation.${i}.afterMinutes`]}>
              <NumberInput
                unit="分钟"
                min={1}
                max={10_080}
                value={rung.afterMinutes}
                onChange={(n) => setRung(i, { afterMinutes: n ?? 0 })}
              />
            </FieldLabel>
            <FieldLabel label="通知" error={errors[`notify.escalation.${i}.roles`]}>
              <Select
                mode="tags"
                className="zg-w-all"
                maxTagCount="responsive"
                aria-label={`第 ${i + 1} 级升级对象`}
                value={rung.roles}
                options={[...new Set([...(receivers?.roles ?? usualRoles), ...rung.roles])].map((role) => ({ value: role, label: role }))}
                onChange={(roles: string[]) => setRung(i, { roles })}
              />
            </FieldLabel>
            <FieldLabel label="渠道" hint="空为同上">
              <Choices
                value={rung.channels ?? []}
                options={Object.entries(noticeChannels).map(([channel, label]) => ({ value: channel, label }))}
                onChange={(channels) => {
                  const { channels: _, ...rest } = rung
                  onChange({
                    escalation: value.escalation.map((one, at) => (at === i ? (channels?.length ? { ...rest, channels } : rest) : one)),
                  })
                }}
              />
            </FieldLabel>
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={`删除第 ${i + 1} 级`}
              onClick={() => onChange({ escalation: value.escalation.filter((_, at) => at !== i) })}
            />
          </div>
        ))}
      </FormSection>
    </>
  )
}

/** People behind each role now; a role without people is red. */
function Behind({ receivers, channels }: { receivers: Receivers | undefined; channels: readonly string[] }) {
  if (!receivers || receivers.list.length === 0) return null
  return (
    <ul className="rule-behind" aria-label="现在的接收人">
      {receivers.list.map((one) => (
        <li key={`${one.kind}${one.name}`} className={one.empty ? 'bad' : ''}>
          <b>{one.kind === 'duty' ? '值班' : one.name}</b>
          {one.empty ? (
            <span>{one.kind === 'duty' ? '现在无人值班' : '没有人，通知不会送达'}</span>
          ) : (
            <span>
              {one.people.map((person) => (
                <span key={person.id}>
                  {person.name} <em>{person.phoneMask ?? (channels.includes('2') ? '无手机' : '')}</em>
                  {channels.includes('4') && <em> {person.emailMask ?? '无邮箱'}</em>}
                </span>
              ))}
            </span>
          )}
          {one.empty && <Tag tone="danger">无人</Tag>}
        </li>
      ))}
    </ul>
  )
}
